enum WireModule {}
