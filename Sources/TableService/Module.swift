enum TableServiceModule {}
