"""`reel shelf advise`: what the model would keep at hand."""
