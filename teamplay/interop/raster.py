"""A drawing as an array of pixels, for environments and films; needs the extras `png` and `pettingzoo`."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from teamplay.show.png import png


def pixels(svg: str) -> NDArray[np.uint8]:
    """A drawing as an image: [height, width, 3]."""
    with Image.open(io.BytesIO(png(svg))) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)
