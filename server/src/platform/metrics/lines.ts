import { type Logger, onMeasured } from '../../foundation/kernel/index.ts'

/**
 * Writes a log line for each stage of each message, with the id that the message has in all stages:
 * `trackingId`, or `trackingIds` where it is with others.
 * @returns a function that ends it.
 */
export function logStages(logger: Pick<Logger, 'debug'>): () => void {
  const ends = [
    onMeasured('request', (request) => {
      logger.debug(request, 'a request was answered')
    }),
    onMeasured('write', (write) => {
      logger.debug(write, 'a message of a device was appended')
    }),
    onMeasured('batch', ({ trackingIds, ...batch }) => {
      logger.debug({ ...batch, trackingIds: trackingIds() }, 'a consumer has passed entries')
    }),
    onMeasured('call', (call) => {
      logger.debug(call, `a call of a ${call.of} has ended`)
    }),
    onMeasured('notification', (notification) => {
      logger.debug(notification, 'a notification was accepted')
    }),
    onMeasured('attempt', (attempt) => {
      logger.debug(attempt, 'a notification was attempted')
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
