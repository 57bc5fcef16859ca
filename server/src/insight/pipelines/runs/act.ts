import { readStatus, type SignalData } from '@millrace/insight-sdk/protocol'
import { Fault, type Json } from '../../../foundation/kernel/index.ts'
import type { Asset } from '../../assets/index.ts'
import { listIn, textIn } from '../builtin/builtin.ts'
import type { RunLink } from '../links/graphs.ts'
import type { CallResult } from '../run.ts'
import type { Constants } from '../types.ts'
import type { CallInProgress } from './call-function.ts'

/** The effects of built-in actions in other modules, each for a business. */
export type Acting = {
  /**
   * Rejects a text that cannot reach all people that it is for now.
   * @throws Fault not_found if the business has no such solution; invalid_argument
   */
  checkNotice(
    businessId: string,
    solutionId: string,
    message: Omit<Notice, 'trackingId'>,
  ): Promise<void>
  /** @throws Fault not_found if the business has no such solution */
  notify(businessId: string, solutionId: string, message: Notice): Promise<{ readonly sid: string }>
  /** Runs a handler of a solution. @throws Fault not_found, module_failed if the handler fails */
  callSolution(
    businessId: string,
    solutionId: string,
    call: {
      readonly event: string
      readonly argument: Readonly<Record<string, Json>>
      readonly trackingId: string
    },
  ): Promise<void>
  /** @throws Fault of what the connector refuses */
  setResource(
    businessId: string,
    device: Device,
    values: Readonly<Record<string, string>>,
  ): Promise<void>
}

export type Notice = {
  readonly service: string
  readonly identities: readonly string[]
  readonly title: string
  readonly body: string
  /** The sender of SMS; empty: that of the solution. */
  readonly from: string
  /** The tracking id of the entry that led to it, or of the call. */
  readonly trackingId: string
}

type Device = NonNullable<Asset['device']>
type Status = Readonly<Record<string, unknown>>

/** Runs a built-in action with the status that changed its level. A refusal is returned. */
export async function runAction(
  acting: Acting,
  asset: Pick<Asset, 'id' | 'name' | 'device'>,
  link: RunLink,
  call: ActionCall,
  data: readonly SignalData[],
): Promise<CallResult> {
  try {
    for (const datum of data) await act({ acting, asset, call }, link, datum)
    return { value: [], complaints: [] }
  } catch (error) {
    // An error that may go away without any change is run again as a job.
    if (error instanceof Fault && error.status < 500) return error
    if (error instanceof Fault && error.code === 'module_failed') return error
    throw error
  }
}

type ActingCall = {
  readonly acting: Acting
  readonly asset: Pick<Asset, 'id' | 'name' | 'device'>
  readonly call: ActionCall
}

type ActionCall = Pick<CallInProgress, 'trackingId' | 'effects'> & {
  /** The tracking ids of the entries that led to it. */
  readonly causes: readonly string[]
}

async function act(
  { acting, asset, call: { trackingId, causes, effects } }: ActingCall,
  { businessId, functionId, constants, id, name }: RunLink,
  { ts, value, tags }: SignalData,
): Promise<void> {
  const read = readStatus(value)
  if (read.error !== undefined) return
  const status: Status = { ...read.value }
  const said = (constant: string, fallback = '') =>
    filled(textIn(constants, constant, fallback), status)
  const solutionId = textIn(constants, 'solution')
  if (functionId === 'send_notification') {
    const [title, body] = [said('title'), said('body', defaultBody)]
    const message = {
      ...readNotice(constants),
      title,
      body,
      trackingId: causes[0] ?? trackingId,
    }
    const { sid } = await acting.notify(businessId, solutionId, message)
    effects.push({ kind: 'notification', solutionId, sid })
  } else if (functionId === 'call_solution') {
    const link = { id, name }
    const argument = {
      asset: { id: asset.id, name: asset.name },
      signal: tags?.signal ?? '',
      timestamp: ts,
      status: status as Json,
      link,
    }
    const event = textIn(constants, 'event', 'status')
    effects.push({ kind: 'script_call', solutionId })
    await acting.callSolution(businessId, solutionId, { event, argument, trackingId })
  } else if (functionId === 'set_resource') {
    const levels = listIn(constants, 'levels')
    if (levels.length > 0 && !levels.includes(Number(status.level))) return
    const own = {
      connectorId: textIn(constants, 'connector'),
      identity: textIn(constants, 'identity'),
    }
    const device = own.identity === '' ? asset.device : own
    if (device === null) throw new Fault('invalid_argument', 'The asset has no device.')
    await acting.setResource(businessId, device, {
      [textIn(constants, 'alias')]: said('value', '{level}'),
    })
  }
}

const defaultBody = 'Level {level}'

/** Reads the constants of `send_notification`, its texts with their places. */
export function readNotice(constants: Constants): Omit<Notice, 'trackingId'> {
  return {
    service: textIn(constants, 'service'),
    identities: listIn(constants, 'identities').map(String),
    title: textIn(constants, 'title'),
    body: textIn(constants, 'body', defaultBody),
    from: textIn(constants, 'from'),
  }
}

/** A text with the fields of a status in their places. */
function filled(text: string, status: Status): string {
  return text.replace(/\{(level|type|category|value)\}/g, (_, name: string) => {
    const value = status[name]
    if (value === undefined || value === null) return ''
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  })
}
