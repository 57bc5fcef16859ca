import { Fault } from '../../kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { jsonText } from './answer.ts'

/** A message as it goes out. */
export type Frame = { readonly data: string | Uint8Array; readonly binary: boolean }

/** What scripts call the kinds of messages. */
export const messageTypes = { text: 'data-text', binary: 'data-binary' } as const

/**
 * What a script answers to a message, as a message: a text of the kind of what it answers, so that
 * an echo is one; bytes as bytes; everything else as JSON. Nothing is no message.
 * @throws Fault response_refused
 */
export function frameOf(said: ScriptValue, toBinary: boolean): Frame | undefined {
  if (said === undefined || said === null) return undefined
  if (said instanceof Uint8Array) return { data: said, binary: true }
  if (typeof said !== 'string') return { data: jsonText(said), binary: false }
  return toBinary ? { data: Buffer.from(said), binary: true } : { data: said, binary: false }
}

/** What a script sends by itself. @throws Fault invalid_argument, response_refused */
export function frameToSend(message: ScriptValue, type: ScriptValue): Frame {
  if (type !== undefined && type !== messageTypes.text && type !== messageTypes.binary) {
    throw new Fault(
      'invalid_argument',
      `type must be ${messageTypes.text} or ${messageTypes.binary}`,
    )
  }
  const frame = frameOf(message, type === messageTypes.binary)
  if (frame === undefined) throw new Fault('invalid_argument', 'message is missing')
  if (!frame.binary || type !== messageTypes.text) return frame
  throw new Fault('invalid_argument', `message is no UTF-8: its type is ${messageTypes.binary}`)
}
