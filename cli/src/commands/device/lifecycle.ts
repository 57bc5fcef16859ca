import type { components } from '@millrace/client'
import { command, UsageError } from '../../command.ts'
import type { Input } from '../../input.ts'
import { list, operation } from '../../operation.ts'
import { columns, formatTime } from '../../output/output.ts'
import { connectorOption, limitOption } from '../options.ts'
import { identityOption, parseTag, parseUntil, selectionOptions } from './options.ts'

type Schemas = components['schemas']

const keyFiles = ['password', 'certificate', 'csr'] as const
const rotate = 'npx millrace device rotate --connector demo --identity my-device'

/** The commands of credentials of devices and of activation windows. */
export const lifecycleCommands = {
  'device reprovision': command(
    'Order provisioned devices to activate again; their credentials are revoked at once.',
    {
      options: { connector: connectorOption, ...selectionOptions },
      example: 'npx millrace device reprovision --connector demo --tag site=lab',
      routes: ['orderReprovision'],
      async run({ connector, identity, tag: text, all }, { client, call, out, confirm }) {
        const tag = text === undefined ? undefined : parseTag('tag', text)
        await client()
        if (all) await confirm(`Revoke the credential of every device of ${connector}?`)
        const selected = { identity, tag, all: all || undefined }
        const answer = await call('orderReprovision', { connector, ...selected })
        out.show(answer, () => [`${answer.ordered} ordered to activate again`])
      },
    },
  ),
  'device rotate': command(
    'Let a device have a second credential, until it uses the new one or the window ends.',
    {
      options: {
        connector: connectorOption,
        identity: identityOption,
        window: { meaning: 'The time in which both are valid, such as 24h or 7d.', default: '24h' },
        token: { meaning: 'Create the new token now and print it, once.', flag: true },
        password: { meaning: 'A file with the new password; - is the standard input.' },
        certificate: { meaning: 'A file with the new certificate, PEM.' },
        csr: { meaning: 'A file with a signing request, PEM; the certificate is printed.' },
        cancel: {
          meaning: 'Cancel the rotation, if the new credential was not used yet.',
          flag: true,
        },
      },
      example: `${rotate} --window 24h`,
      routes: ['openRotation', 'cancelRotation'],
      async run({ connector, identity, window, cancel, ...given }, { call, input, out }) {
        const device = { connector, identity }
        if (cancel) {
          await call('cancelRotation', device)
          out.print(`the rotation of ${identity} is cancelled`)
          return
        }
        const hours = parseHours(window)
        const auth = await readCredential(input, given)
        const opened = await call('openRotation', { ...device, hours, auth })
        out.show(opened, () => openedLines(identity, opened))
      },
    },
  ),
  'device rotation': operation('getRotation', {
    summary: "Print the open rotation of a device's credential.",
    lines: (rotation) =>
      columns([
        ['type', rotation.type ?? 'any'],
        ['opened', formatTime(rotation.opened)],
        ['until', formatTime(rotation.until)],
        ['state', formatState(rotation)],
      ]),
    example: `${rotate} && npx millrace device rotation --connector demo --identity my-device`,
  }),
  'device extend': operation('extendWindows', {
    summary: 'Extend the activation windows of identities.',
    options: {
      hours: 'The number of hours from now; either this or --expire.',
      expire: { read: parseUntil, meaning: 'The new end, such as 2030-01-31T12:00Z, or never.' },
      ...selectionOptions,
    },
    lines: ({ extended, expire }) => {
      const end = expire === null ? 'without a deadline' : `until ${formatTime(expire)}`
      return [`${extended} extended, ${end}`]
    },
    example: 'npx millrace device extend --connector demo --all --hours 72',
  }),
  'device windows': list('listWindows', 'windows', {
    summary: 'Print the activation windows that close next.',
    options: { limit: limitOption('windows') },
    line: ({ identity, expire }) => `${formatTime(expire)}  ${identity}`,
    example: 'npx millrace device windows --connector demo --limit 5',
  }),
}

/** @throws UsageError */
function parseHours(window: string): number {
  const [, count = '', unit] = /^([0-9]{1,6})([hd])$/.exec(window) ?? []
  if (count === '') throw new UsageError('--window is hours or days, such as 24h or 7d')
  return Number(count) * (unit === 'd' ? 24 : 1)
}

type Given = Readonly<Record<(typeof keyFiles)[number], string | undefined>> & {
  readonly token: boolean
}

/** @throws UsageError */
async function readCredential(input: Input, given: Given) {
  const files = keyFiles.filter((name) => given[name] !== undefined)
  const [type, ...others] = [...files, ...(given.token ? (['token'] as const) : [])]
  if (others.length > 0) throw new UsageError('only one new credential can be given')
  if (type === undefined) return undefined
  if (type === 'token') return { type }
  const file = given[type] ?? ''
  const read = type === 'password' ? input.readSecret(type, file) : input.textOfFile(type, file)
  return { type, key: await read }
}

function openedLines(identity: string, opened: Schemas['OpenedRotation']): string[] {
  const { given, until, token, certificate } = opened
  const end = formatTime(until)
  return [
    ...(token === undefined ? [] : [token]),
    ...(certificate === undefined ? [] : [certificate.trimEnd()]),
    given
      ? `${identity}: the one before works until the new one is used, at most until ${end}`
      : `${identity} may get a new credential with its old one until ${end}`,
  ]
}

function formatState({ given, fetched }: Schemas['Rotation']): string {
  if (!given) return 'the device has not fetched its new credential'
  return fetched === null
    ? 'the new credential was given'
    : `the device fetched its new credential at ${formatTime(fetched)}`
}
