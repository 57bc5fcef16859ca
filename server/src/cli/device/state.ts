import type { Platform } from '../../platform.ts'
import type { State } from '../../provisioning/index.ts'
import { type Command, print, repeatedValues, UsageError, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { timeOf } from './list.ts'

export const deviceState: Command = {
  name: 'device state',
  summary: 'Print the values of a device; with --set, change some first.',
  options: {
    connector: connectorOption,
    identity: { meaning: 'The identity.', required: true },
    set: { meaning: 'A value to set: <alias>=<value>; again for another.', many: true },
    json: { meaning: 'Print them as the management API does.', flag: true },
    business: businessOption,
  },
  example:
    'npx millrace device state --connector demo --identity my-device ' +
    `--set data_out='{"004":true}'`,
  run: ({ connector = '', business, identity = '', set, json }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const where = [id, connector, identity] as const
      await setValues(platform, where, repeatedValues(set))
      const state = await platform.provisioning.state(...where)
      if (json === 'yes') print(JSON.stringify(state, undefined, 2))
      else for (const line of linesOf(state)) print(line)
      return 0
    }),
}

async function setValues(
  { provisioning }: Platform,
  where: readonly [string, string, string],
  said: readonly string[],
): Promise<void> {
  if (said.length === 0) return
  await provisioning.setState(...where, Object.fromEntries(said.map(pairOf)))
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError('--set is <alias>=<value>')
  return [text.slice(0, at), text.slice(at + 1)]
}

function linesOf(state: State): string[] {
  const rows = Object.entries(state)
  const width = Math.max(0, ...rows.map(([alias]) => alias.length))
  return rows.map(([alias, { reported, set, timestamp }]) => {
    const toBe = set === reported ? '' : `  is to be ${set}`
    const text = `${alias.padEnd(width)}  ${timeOf(timestamp)}  ${reported ?? '-'}${toBe}`
    // Values of devices may contain control sequences of terminals.
    return text.replaceAll(/\p{Cc}/gu, '\ufffd')
  })
}
