import type { Database } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Assets } from '../../assets/index.ts'
import { textIn } from '../builtin/builtin.ts'
import { builtinId } from '../builtin/registry.ts'
import { type Acting, readNotice } from '../runs/act.ts'
import { readLinks } from '../store.ts'
import type { Constants } from '../types.ts'
import { Problems } from './problems.ts'
import type { FullChange } from './schema.ts'

export type ActionsOptions = {
  readonly database: Database
  readonly assets: Pick<Assets, 'ofDevices' | 'some'>
  readonly acting: Pick<Acting, 'checkNotice'>
}

/** Constants of an action that a change gives, beside those that are stored. */
type ChangedAction = {
  readonly constants: Constants
  readonly was: Constants | undefined
  readonly pointer: string
}

/**
 * Checks the actions that a change adds or changes, against devices and other modules.
 * @throws Fault pipeline_refused
 */
export async function checkActions(
  options: ActionsOptions,
  view: View,
  assetId: string,
  { links }: FullChange,
): Promise<void> {
  const problems = new Problems()
  const before = new Map(
    (await readLinks(options.database, view.businessId, [assetId])).map((link) => [link.id, link]),
  )
  for (const [at, spec] of links.entries()) {
    const stored = before.get(spec.id ?? '')
    const { moduleId, functionId } = stored ?? spec
    if (moduleId !== builtinId || spec.constants == null) continue
    const was = stored?.constants
    const constants = spec.constants as Constants
    const action = { constants, was, pointer: `/links/${at}/constants` }
    if (functionId === 'set_resource') await checkDevice(options, view, action, problems)
    if (functionId === 'send_notification') await checkNotice(options, view, action, problems)
  }
  problems.refuse()
}

/**
 * An action sets resources of those devices only whose assets its author sees; one that was set
 * before may stay. An author who sees all of the business may name any device.
 */
async function checkDevice(
  { assets }: ActionsOptions,
  view: View,
  { constants, was, pointer }: ChangedAction,
  problems: Problems,
): Promise<void> {
  if (view.groups === 'all') return
  const { connector, identity } = constants
  if (typeof connector !== 'string' || typeof identity !== 'string' || identity === '') return
  if (was?.connector === connector && was.identity === identity) return
  const device = { businessId: view.businessId, connectorId: connector, identity }
  const [asset] = await assets.ofDevices([device])
  const seen = asset === undefined ? [] : await assets.some(view, [asset.id])
  if (seen.length > 0) return
  problems.add(`${pointer}/identity`, 'There is no such device among your assets.', 'not_found')
}

/** A text that could not be sent to some of its people is refused here, and not at each alarm. */
async function checkNotice(
  { acting }: ActionsOptions,
  { businessId }: View,
  { constants, pointer }: ChangedAction,
  problems: Problems,
): Promise<void> {
  const notice = readNotice(constants)
  const solution = textIn(constants, 'solution')
  // The check of the constants themselves reports missing ones.
  if (solution === '' || notice.service === '' || notice.identities.length === 0) return
  try {
    await acting.checkNotice(businessId, solution, notice)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    // A solution may be created after the pipeline that names it.
    if (error.code !== 'not_found') problems.add(pointer, error.detail)
  }
}
