#pragma once

namespace kinescope::ui {

class ImageTile;

/// Makes a tile take pictures from the clipboard and from other programs. The tile saves such a picture in the data
/// folder and emits fileGiven() with its file.
void takePictures(ImageTile* tile);

}  // namespace kinescope::ui
