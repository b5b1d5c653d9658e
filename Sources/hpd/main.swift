print("hpd")
