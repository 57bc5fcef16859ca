import { Readable } from 'node:stream'

type Done = () => void

/**
 * The broker's router, which routes nothing: what a device publishes goes to the log and to no
 * other device, whatever anyone subscribes to.
 */
export const noRouter = {
  on(_topic: string, _listener: unknown, done?: Done): void {
    if (done !== undefined) setImmediate(done)
  },
  removeListener(_topic: string, _listener: unknown, done?: Done): void {
    if (done !== undefined) setImmediate(done)
  },
  emit(_packet: unknown, done?: Done): void {
    if (done !== undefined) setImmediate(done)
  },
  close(done?: Done): void {
    if (done !== undefined) setImmediate(done)
  },
}

/**
 * The broker's store, which keeps nothing: no session outlives its connection, no message is
 * retained, no will is kept. The values that are set are all that a device must not miss, and these
 * are in the database.
 */
export const noStore = {
  async setup(): Promise<void> {},
  async storeRetained(): Promise<void> {},
  async addSubscriptions(): Promise<void> {},
  async removeSubscriptions(): Promise<void> {},
  async cleanSubscriptions(): Promise<void> {},
  async subscriptionsByClient(): Promise<readonly never[]> {
    return []
  },
  async subscriptionsByTopic(): Promise<readonly never[]> {
    return []
  },
  async outgoingEnqueueCombi(): Promise<void> {},
  async outgoingEnqueue(): Promise<void> {},
  async outgoingUpdate(): Promise<void> {},
  async outgoingClearMessageId(): Promise<void> {},
  // A message with QoS 2 is dealt with before the broker looks whether it knows it. That it does is
  // the answer with which it keeps nothing and goes through the handshake.
  incomingGetPacket: async (): Promise<object> => ({}),
  async incomingDelPacket(): Promise<void> {},
  async delWill(): Promise<void> {},
  createRetainedStreamCombi: (): Readable => Readable.from([]),
  outgoingStream: (): Readable => Readable.from([]),
  streamWill: (): Readable => Readable.from([]),
}
