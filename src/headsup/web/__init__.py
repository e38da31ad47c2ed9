"""The web server and its pages: tables played live in the browser, console, office, training."""
