// Before the first paint: the theme that was chosen here, so that nothing flashes.
try {
  const theme = localStorage.getItem('justeval-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is refused: the theme of the system counts.
}
