"""Takes the robots that robots.txt names out of a wheel of pybullet."""

import os
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
wheel, folder = sys.argv[1:]
with open(os.path.join(HERE, "robots.txt"), encoding="utf-8") as file:
    wanted = file.read().split()
with zipfile.ZipFile(wheel) as archive:
    for name in wanted:
        archive.extract("pybullet_data/" + name, folder)
