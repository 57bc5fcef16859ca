import { spawn } from 'node:child_process'

/** Notifies systemd of the state of a `Type=notify` service; does nothing without systemd. */
export type ServiceManager = {
  /** It answers requests. Then it also notifies, twice in a `WatchdogSec`, that it is alive. */
  ready(): void
  stopping(): void
}

type Environment = Readonly<Record<string, string | undefined>>

/** `systemd-notify` sends the messages, since Node has no sockets of their kind. */
export function serviceManager(env: Environment): ServiceManager {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdog } = env
  let timer: NodeJS.Timeout | undefined
  const notify = (...message: readonly string[]) => {
    if (socket === undefined || socket === '') return
    const child = spawn('systemd-notify', message, { stdio: 'ignore' })
    // The unit's own time-out shows that nothing came.
    child.on('error', () => {})
    child.unref()
  }
  return {
    ready() {
      notify('--ready', `--status=Millrace answers (process ${process.pid})`)
      const halfMs = Number(watchdog) / 2 / 1_000
      // A process whose event loop hangs sends nothing, and is started anew. An interval, and no
      // poll loop: nothing in a message is awaited.
      if (halfMs > 0) timer = setInterval(() => notify('WATCHDOG=1'), halfMs).unref()
    },
    stopping() {
      clearInterval(timer)
      notify('STOPPING=1')
    },
  }
}
