import { Fault } from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { jsonText } from './answer.ts'

/** An outgoing websocket message. */
export type Frame = { readonly data: string | Uint8Array; readonly binary: boolean }

/** The names of the message types in scripts. */
export const messageTypes = { text: 'data-text', binary: 'data-binary' } as const
type MessageType = (typeof messageTypes)[keyof typeof messageTypes]

/**
 * Makes a message of a script's answer: text as the type of the message it answers, so that an echo
 * is exact; bytes as bytes; everything else as JSON. Undefined for no answer.
 * @throws Fault response_refused
 */
export function makeFrame(value: ScriptValue, toBinary: boolean): Frame | undefined {
  if (value === undefined || value === null) return undefined
  if (value instanceof Uint8Array) return { data: value, binary: true }
  if (typeof value !== 'string') return { data: jsonText(value), binary: false }
  return toBinary ? { data: Buffer.from(value), binary: true } : { data: value, binary: false }
}

/**
 * Makes a message of what a script sends by itself. @throws Fault invalid_argument,
 * response_refused
 */
export function frameToSend(message: ScriptValue, type: MessageType | undefined): Frame {
  const frame = makeFrame(message, type === messageTypes.binary)
  if (frame === undefined) throw new Fault('invalid_argument', 'message is missing')
  if (!frame.binary || type !== messageTypes.text) return frame
  throw new Fault('invalid_argument', `message is not UTF-8: its type is ${messageTypes.binary}`)
}
