enum HouseSupport {}
