"""The light engine: BERT and its relatives with numpy, without torch and transformers."""
