print("hpctl")
