import { OutboundError } from './errors.ts'

/** The limits of a call's time. */
export type CallTimes = {
  /** Milliseconds for name, connection and TLS; exact only if `receiveMsMax` is given. */
  readonly connectMsMax: number
  /** Milliseconds from the moment the request goes out to the answer's last byte; exact. */
  readonly receiveMsMax?: number
  /** Milliseconds from the call to the answer's last byte; exact. */
  readonly totalMsMax: number
  /** Aborted when the caller no longer waits for the answer. */
  readonly signal?: AbortSignal
  /** Called when the connection stands and the request goes out. */
  readonly onSent?: () => void
}

/** The times of one call. */
export type Watch = {
  /** Aborted when the call ends before its answer; its reason is the error for the caller. */
  readonly signal: AbortSignal
  /** Tells the same, for less: most calls need no signal. */
  onAbort(listener: (reason: OutboundError) => void): void
  /** The connection stands, and the request goes out now. */
  sent(): void
  /** Nothing ends the call any more. */
  end(): void
}

/**
 * Begins with the time for connecting, if the caller gave both, and goes over to the
 * time for receiving when the request goes out. Above both stands the total. All are exact.
 */
export function startWatch(call: CallTimes, host: string): Watch {
  const listeners: ((reason: OutboundError) => void)[] = []
  let reason: OutboundError | undefined
  let controller: AbortController | undefined
  function abort(error: OutboundError): void {
    if (reason !== undefined) return
    reason = error
    controller?.abort(error)
    for (const listener of listeners) listener(error)
  }
  const endAfter = (ms: number, error: () => OutboundError) => setTimeout(() => abort(error()), ms)
  const timedOut = () => new OutboundError('timed_out', `${host} did not answer in time`)
  const unconnected = () => new OutboundError('unreachable', `${host} did not connect in time`)
  const gone = () => abort(new OutboundError('broken', 'the caller has ended'))

  const { receiveMsMax, signal: caller } = call
  const total = endAfter(call.totalMsMax, timedOut)
  let phase = receiveMsMax === undefined ? undefined : endAfter(call.connectMsMax, unconnected)
  caller?.addEventListener('abort', gone, { once: true })
  if (caller?.aborted === true) gone()
  return {
    get signal() {
      controller ??= new AbortController()
      if (reason !== undefined) controller.abort(reason)
      return controller.signal
    },
    onAbort(listener) {
      if (reason === undefined) listeners.push(listener)
      else listener(reason)
    },
    sent() {
      call.onSent?.()
      if (receiveMsMax === undefined) return
      clearTimeout(phase)
      phase = endAfter(receiveMsMax, timedOut)
    },
    end() {
      clearTimeout(total)
      clearTimeout(phase)
      caller?.removeEventListener('abort', gone)
    },
  }
}
