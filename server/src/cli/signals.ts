const graceMs = 1_000

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP. A terminal's Ctrl-C may arrive twice, from the
 * terminal and through npm; one that comes clearly later ends the process at once.
 */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let first = 0
    const stop = () => {
      const now = Date.now()
      if (first === 0) first = now
      else if (now - first > graceMs) process.exit(1)
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  })
}
