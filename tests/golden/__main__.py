"""Renew the golden drawings; look at the difference before it is kept."""

from tests.golden import HERE, IMAGES, figures, golden, images

for figure in figures():
    for name, text in golden(figure).items():
        (HERE / name).write_text(text, encoding="utf-8")
        print(f"tests/golden/{name}")
for name, text in images().items():
    (IMAGES / name).write_text(text, encoding="utf-8")
    print(f"docs/images/{name}")
