export type Repeated = { stop(): Promise<void> }

/** One step after the other, with a pause between them. */
export function repeat(pauseMs: number, step: () => Promise<void>): Repeated {
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const arm = () => {
    timer = setTimeout(() => {
      running = step().then(() => {
        if (!stopped) arm()
      })
    }, pauseMs).unref()
  }
  arm()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      return running
    },
  }
}
