import {
  AnyValue,
  Bytes,
  defineOperations,
  RecordOf,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { messageTypes } from './frames.ts'

/** The reason of a close: the protocol has no room for more. A standard or a provider sets it. */
const socketReasonBytesMax = 123

const bytesMax = socketReasonBytesMax

/** The code of a normal end. */
export const normalEnd = 1_000

/** Existing scripts pass `server_ip`, too; the id alone identifies a socket. */
const socketName = {
  socket_id: Type.String({
    description: 'The id of the socket.',
    pattern: '^[a-z0-9]+$',
    rule: 'must be a string of letters and digits',
  }),
  server_ip: Type.Optional(AnyValue<unknown>({ description: 'Ignored.' })),
}

const code = Type.Integer({
  description: 'The code of the end: 1000, or from 3000 to 4999.',
  default: normalEnd,
  rule: `must be ${normalEnd}, or from 3000 to 4999`,
})

const reason = Type.String({
  description: `The reason of the end, at most ${bytesMax} bytes.`,
  default: '',
})
const reasonRule = `must be a text of at most ${bytesMax} bytes`

/** A field of the upgrade: absent for a socket of another process. */
const upgradeField = Type.Optional

const nothing = Type.Undefined({ description: 'nil' })

export const websocketOperations = defineOperations(() => ({
  send: {
    description: 'Sends a message to a socket.',
    args: StrictObject({
      ...socketName,
      message: Type.Optional(
        AnyValue<ScriptValue>({ description: 'Required: a text, bytes, or a value sent as JSON.' }),
      ),
      type: Type.Optional(
        Type.Enum([messageTypes.text, messageTypes.binary], {
          description: 'The type of the message; that of its value if it is left out.',
          rule: `must be ${messageTypes.text} or ${messageTypes.binary}`,
        }),
      ),
    }),
    result: nothing,
  },
  close: {
    description: 'Closes a socket.',
    args: StrictObject({
      ...socketName,
      code: Type.Refine(
        code,
        (number) => number === normalEnd || (number >= 3_000 && number <= 4_999),
        () => `must be ${normalEnd}, or from 3000 to 4999`,
      ),
      reason: Type.Refine(
        reason,
        (text) => !text.includes('\0') && Buffer.byteLength(text) <= bytesMax,
        () => reasonRule,
      ),
    }),
    result: nothing,
  },
  closeAll: {
    description: 'Closes all sockets of the solution.',
    args: StrictObject({}),
    result: Type.Integer({ description: 'the number of sockets that were open' }),
  },
  list: {
    description: 'Lists the ids of the open sockets of the solution.',
    reads: true,
    args: StrictObject({}),
    result: Type.Array(Type.String()),
  },
  info: {
    description: 'Describes a socket.',
    reads: true,
    args: StrictObject(socketName),
    result: StrictObject({
      socket_id: Type.String(),
      server_ip: upgradeField(Type.String()),
      uri: upgradeField(Type.String()),
      method: upgradeField(Type.String()),
      route: Type.String({ description: 'The path of the endpoint.' }),
      parameters: upgradeField(
        RecordOf(AnyValue<ScriptValue>(), { description: 'Of the query and the path.' }),
      ),
      ip: upgradeField(Type.String()),
      headers: upgradeField(RecordOf(Type.Union([Type.String(), Bytes()]))),
      security: upgradeField(AnyValue<ScriptValue>({ description: 'Who was authenticated.' })),
      protocol: upgradeField(Type.String({ description: 'The subprotocol.' })),
      opened_at: Type.Integer({ description: 'Microseconds since 1970.' }),
    }),
  },
}))
