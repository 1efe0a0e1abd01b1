"""The figures of a run as TensorBoard's event files: `tensorboard --logdir runs`."""

from pathlib import Path
from typing import Any

from damier.zero.metrics import Row


class Events:
    """Writes the figures beside the metrics, if TensorBoard is installed. damier never reads them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.writer: Any = None

    def add(self, row: Row) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            return
        self.writer = self.writer or SummaryWriter(str(self.folder))
        for name, value in row.items():
            if isinstance(value, int | float) and name != "iteration":
                self.writer.add_scalar(name, value, row["iteration"])
        if row.get("gate", {}).get("score") is not None:
            self.writer.add_scalar("gate_score", row["gate"]["score"], row["iteration"])
        self.writer.flush()

    def close(self) -> None:
        if self.writer:
            self.writer.close()
