import { useSyncExternalStore } from 'react'

const tickMs = 1_000
/** `Date` in an answer has whole seconds, and the answer was under way: less than this is none. */
const skewMsMin = 2_000

let skewMs = 0
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** Takes over the server's clock where this computer's goes wrong: ages are then true ages. */
export function setServerTime(serverMs: number): void {
  const difference = serverMs - Date.now()
  skewMs = Math.abs(difference) < skewMsMin ? 0 : difference
}

/** The server's time, microseconds since 1970. */
export function serverNowUs(): number {
  return (Date.now() + skewMs) * 1_000
}

/**
 * Something that follows from the time, looked at anew each second while the tab is seen.
 * @param read is given the server's time, microseconds since 1970; its answers are compared.
 */
export function useTimed<Answer extends string | number>(read: (nowUs: number) => Answer): Answer {
  return useSyncExternalStore(subscribe, () => read((nowMs + skewMs) * 1_000))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    nowMs = Date.now()
    timer = setInterval(tick, tickMs)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', tick)
  }
}

function tick(): void {
  if (document.hidden) return
  nowMs = Date.now()
  for (const listener of listeners) listener()
}
