import { type components, pages } from '@millrace/client'
import type { Arguments, Call } from '../../call.ts'
import { command, UsageError } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { type Given, list, operation } from '../../operation.ts'
import { columns, formatTime } from '../../output/output.ts'
import { connectorOption, limitOption, textFile } from '../options.ts'
import { lifecycleCommands } from './lifecycle.ts'
import { identityOption, parsePair, parseTag, parseUntil, toFilter } from './options.ts'

type Schemas = components['schemas']

const onDemo = (verb: string) => `npx millrace device ${verb} --connector demo`

/** The commands of devices. */
export const commands = {
  'device list': command('Print the identities of a connector, last seen first.', {
    options: {
      connector: connectorOption,
      status: {
        meaning: 'Print only this status: whitelisted, provisioned, locked, reprovision, expired.',
      },
      identity: { meaning: 'Print only identities that match, such as ^pump-.' },
      limit: { meaning: 'The number of identities to print. Default: 100.' },
      all: { meaning: 'Print every identity.', flag: true },
    },
    example: `${onDemo('list')} --status provisioned`,
    routes: ['listIdentities'],
    async run({ connector, status, identity, limit, all }, { call, out }) {
      if (all && limit !== undefined) {
        throw new UsageError('--limit and --all contradict each other')
      }
      const query = { connector, ...toFilter({ status, identity }) }
      if (all) return out.showAll(everyIdentity(call, query), identityLine)
      const page = { ...query, limit: wholeNumber('limit', limit ?? '100') }
      const { devices, mayLoadMore } = await call('listIdentities', page)
      out.show(devices, () => devices.map(identityLine))
      if (mayLoadMore) out.note('There are more; --limit or --all shows them.')
    },
  }),
  'device add': operation('putIdentity', {
    summary: 'Whitelist an identity, or change what is given of one that is there.',
    options: {
      tag: {
        as: 'tags',
        many: true,
        read: parsePair,
        meaning:
          'A tag <name>=<value>; may be given several times. These replace the present tags.',
      },
      expire: {
        as: 'auth.expire',
        read: parseUntil,
        meaning: 'The end of its activation window, such as 2030-01-31T12:00Z, or never.',
      },
      certificate: {
        as: 'auth.certificate',
        read: textFile,
        meaning: 'A file with its certificate, PEM; only this certificate provisions it.',
      },
      csr: {
        as: 'auth.csr',
        read: textFile,
        meaning: 'A file with a signing request, PEM; the certificate is printed.',
      },
    },
    check: checkKey,
    arguments: ({ auth, ...given }) =>
      auth === undefined ? given : { ...given, auth: keyed(auth) },
    lines: (added) => ['certificate' in added ? added.certificate.trimEnd() : identityLine(added)],
    example: `${onDemo('add')} --identity pump-5 --tag site=lab`,
  }),
  'device export': {
    summary: 'Write the identities of a connector as CSV, which device whitelist takes.',
    load: async () => (await import('./export.ts')).deviceExport,
  },
  'device whitelist': {
    summary: 'Whitelist the identities of a CSV file (columns ID, TLS Client Certificate, Tags).',
    load: async () => (await import('./whitelist.ts')).deviceWhitelist,
  },
  'device simulate': {
    summary: 'Simulate devices on this machine that activate and write data_in over real sockets.',
    load: async () => (await import('./simulate.ts')).deviceSimulate,
  },
  'device state': command('Print the values of a device; with --set, change some first.', {
    options: {
      connector: connectorOption,
      identity: identityOption,
      set: { meaning: 'A value to set, <alias>=<value>; may be given several times.', many: true },
    },
    example: `${onDemo('state')} --identity my-device --set data_out='{"004":true}'`,
    routes: ['getState', 'setState'],
    async run({ connector, identity, set }, { call, out }) {
      const values = Object.fromEntries(set.map(splitValue))
      const device = { connector, identity }
      if (set.length > 0) await call('setState', device, values)
      const state = await call('getState', device)
      out.show(state, () => columns(Object.entries(state).map(stateRow)))
    },
  }),
  'device tags': command(
    'Print the tags of an identity; with --add and --remove, change them first.',
    {
      options: {
        connector: connectorOption,
        identity: identityOption,
        add: { meaning: 'A tag <name>=<value>; may be given several times.', many: true },
        remove: {
          meaning:
            'A tag <name>=<value>, or <name> for all of its values; may be given several times.',
          many: true,
        },
      },
      example: `${onDemo('tags')} --identity my-device --add floor=2`,
      routes: ['changeTags', 'getIdentity'],
      async run({ connector, identity, ...given }, { call, out }) {
        const add = given.add.map((text) => parsePair('add', text))
        const remove = given.remove.map((text) => parseTag('remove', text))
        const device = { connector, identity }
        const isChange = add.length + remove.length > 0
        const { tags } = isChange
          ? await call('changeTags', { ...device, add, remove })
          : await call('getIdentity', device)
        out.show(tags, () => tags.map(({ name, value }) => `${name}=${value}`))
      },
    },
  ),
  'device certificates': list('listDeviceCertificates', 'certificates', {
    summary: 'Print the certificates of devices that end next.',
    options: { limit: limitOption('certificates') },
    line: ({ identity, until }) => `${formatTime(until)}  ${identity}`,
    example: `${onDemo('certificates')} --limit 5`,
  }),
  'device contents': list('listDeviceContents', 'contents', {
    summary: 'Print the contents that a device downloaded, or that a campaign offers it.',
    row: ({ content, status, received, size, ...times }) => {
      const at = times.completed ?? times.begun ?? times.offered
      return [content, status, `${received} of ${size} bytes`, at === null ? '' : formatTime(at)]
    },
    example: `${onDemo('contents')} --identity my-device`,
  }),
  'device lock': operation('updateIdentity', {
    summary: 'Lock a device and close its connections.',
    arguments: (given) => ({ ...given, locked: true }),
    lines: (_device, { identity }) => [
      `${identity} is locked; its connections end within a second`,
    ],
    example: `${onDemo('lock')} --identity my-device`,
  }),
  'device unlock': operation('updateIdentity', {
    summary: 'Unlock a device; it keeps its credential, or activates again with --reprovision.',
    options: {
      reprovision: 'Order it to activate again: for firmware that drops its credential at a 403.',
    },
    arguments: (given) => ({ ...given, locked: false }),
    lines: (_device, { identity, reprovision }) =>
      reprovision
        ? [`${identity} is unlocked and must activate again`]
        : [
            `${identity} is unlocked`,
            'If its firmware has dropped its credential, add --reprovision',
          ],
    example: `${onDemo('unlock')} --identity my-device`,
  }),
  'device change': {
    summary: 'Lock, unlock, re-provision or delete all devices that match a filter.',
    load: async () => (await import('./change.ts')).deviceChange,
  },
  'device remove': operation('deleteIdentity', {
    summary: 'Delete an identity with its credential and its values.',
    confirm: 'Delete {identity} with its credential and its values?',
    done: '{identity} is removed',
    example: `${onDemo('add')} --identity pump-9 && ${onDemo('remove')} --identity pump-9 --yes`,
  }),
  ...lifecycleCommands,
}

function everyIdentity(call: Call, query: Arguments<'listIdentities'>) {
  return pages<Schemas['Identity'], string>(async (before) => {
    const { devices, mayLoadMore } = await call('listIdentities', { ...query, before })
    const last = devices.at(-1)
    const isLast = !mayLoadMore || last === undefined
    return { items: devices, next: isLast ? undefined : `${last.lastseen ?? 0}:${last.identity}` }
  })
}

/** An identity as people read it. */
function identityLine(device: Schemas['Identity']): string {
  const { identity, status, auth, lastip, lastseen, tags } = device
  const seen = lastseen === null ? 'never seen' : `seen ${formatTime(lastseen)} from ${lastip}`
  const until = auth.expire === undefined ? '' : `  until ${formatTime(auth.expire)}`
  const named = tags.map(({ name, value }) => `${name}=${value}`).join(' ')
  return `${identity}  ${status}  ${seen}${until}${named === '' ? '' : `  ${named}`}`
}

/** @throws UsageError for two credentials. */
function checkKey({ certificate, csr }: Given): void {
  if (certificate === undefined || csr === undefined) return
  throw new UsageError('--certificate and --csr contradict each other')
}

/** The credential of an identity, as the API has it. */
function keyed(auth: unknown) {
  const { certificate, csr, ...rest } = auth as Readonly<Record<string, unknown>>
  if (certificate !== undefined) return { ...rest, type: 'certificate', key: certificate }
  return csr === undefined ? rest : { ...rest, type: 'csr', key: csr }
}

function splitValue(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError('--set is <alias>=<value>')
  return [text.slice(0, at), text.slice(at + 1)]
}

type Value = {
  readonly reported: string | null
  readonly set: string | null
  readonly timestamp: number
}

function stateRow([alias, { reported, set, timestamp }]: [string, Value]): string[] {
  const wanted = set === reported ? '' : `  is to be ${set}`
  // A value that a device wrote may have many lines.
  const shown = `${reported ?? '-'}${wanted}`.replaceAll(/\p{Cc}/gu, '\ufffd')
  return [alias, formatTime(timestamp), shown]
}
