import type { Entry } from './command.ts'

type Commands = Readonly<Record<string, Entry>>
export type Listed = Readonly<Record<string, Required<Entry>>>

/** The first word of commands. */
type Noun = {
  /** Describes its commands for the help; a command of one word. */
  readonly about: string
  /** Loads the module of its commands, which may have those of others as well. */
  load(): Promise<{ readonly commands: Commands }>
}

const login = () => import('./commands/login.ts')
const completion = () => import('./commands/completion.ts')
const business = () => import('./commands/business.ts')
const instance = () => import('./commands/instance.ts')
const pipelines = () => import('./commands/pipelines.ts')
const mails = () => import('./commands/people/mails.ts')
const failures = () => import('./commands/failures.ts')
const users = () => import('./commands/people/users.ts')
const account = () => import('./commands/people/account.ts')
const invitations = () => import('./commands/people/invitations.ts')
const roles = () => import('./commands/people/roles.ts')
const listings = () => import('./commands/listings.ts')
const modules = () => import('./commands/modules.ts')
const files = () => import('./commands/asset/files.ts')
const templates = () => import('./commands/asset/templates.ts')
const dashboards = () => import('./commands/asset/dashboards.ts')
const reports = () => import('./commands/asset/reports.ts')
const connectors = () => import('./commands/connector/connectors.ts')
const authority = () => import('./commands/connector/authority.ts')
const contents = () => import('./commands/connector/contents.ts')
const solution = () => import('./commands/solution.ts')
const interfaces = () => import('./commands/interface.ts')
const devices = () => import('./commands/device/devices.ts')
const notifications = () => import('./commands/notifications.ts')
const insight = () => import('./commands/insight.ts')

/** The nouns of the commands of the API, in the order of the help. */
export const nouns: Readonly<Record<string, Noun>> = {
  login: { about: 'Log in to an instance, and keep its token for later commands.', load: login },
  logout: { about: 'Forget the login, and end its session.', load: login },
  whoami: { about: 'Show the instance, the account and its permissions.', load: login },
  completion: {
    about: 'Print a script that completes command lines in a shell.',
    load: completion,
  },
  business: { about: 'The businesses of an instance, for its operator.', load: business },
  retention: { about: 'How long data are kept.', load: instance },
  trace: {
    about: 'Follow a value to the write that it came from, and to all that it led to.',
    load: pipelines,
  },
  pipeline: {
    about: 'Pipelines of assets: show, save, versions, restore, simulate.',
    load: pipelines,
  },
  outbound: { about: 'Addresses that the instance may call.', load: instance },
  mail: { about: 'Mails that were kept because no mail server is set.', load: mails },
  failure: {
    about: 'Failures of every stage: show, correct, send again, discard.',
    load: failures,
  },
  ledger: { about: 'The ledger, in which every message is accounted for.', load: instance },
  user: { about: 'Users of a business.', load: users },
  password: { about: 'Your password, and a new one by a link that is mailed.', load: account },
  preference: { about: 'The units in which you prefer to see values.', load: account },
  session: { about: 'Sessions of people.', load: users },
  totp: { about: 'Codes of an authenticator app as a second step of the sign-in.', load: account },
  oidc: { about: 'Sign-in by OpenID Connect.', load: account },
  invitation: { about: 'Invitations of people into a business.', load: invitations },
  audit: { about: 'The audit log: who did what, from where.', load: invitations },
  role: { about: 'Roles, made of permissions.', load: roles },
  group: { about: 'Groups of assets and devices, as a tree.', load: roles },
  token: { about: 'API tokens.', load: roles },
  listing: { about: 'Listings of insight modules in the marketplace.', load: listings },
  module: {
    about: 'Insight modules that a business uses, and calls of them that failed.',
    load: modules,
  },
  asset: { about: 'Assets, and files of them.', load: files },
  template: { about: 'Templates of assets.', load: templates },
  dashboard: { about: 'Dashboards: list, export, import, delete.', load: dashboards },
  report: { about: 'Reports of signals over a period.', load: reports },
  connector: { about: 'Connectors: settings, devices, logs, certificates.', load: connectors },
  ca: { about: "A connector's own certificate authority.", load: authority },
  campaign: {
    about: 'Campaigns: which devices shall get which content, and have it.',
    load: contents,
  },
  content: { about: 'Contents that devices download, such as firmware.', load: contents },
  solution: { about: 'Solutions: scripts, services, logs, failures, tests.', load: solution },
  interface: {
    about: 'Interfaces between solutions: definition, calls, subscribers, quotas.',
    load: interfaces,
  },
  device: {
    about: 'Devices: resources, credentials, whitelisting, simulated devices.',
    load: devices,
  },
  notifications: {
    about: 'Notifications: recipients, deliveries, providers, the local sink.',
    load: notifications,
  },
  insight: {
    about: 'Projects of insight modules: begin one, run it, check any module.',
    load: insight,
  },
}

/** Describes other commands that begin with these words, for the help. */
export const groups: Readonly<Record<string, string>> = {
  authority: "The instance's certificate authority: export it, or take another.",
  'module failures': 'Calls of functions that failed.',
  'notifications bindings': 'Where people are reached: list, delete.',
  'solution env': 'Variables of the environment of a solution.',
  'solution failures': 'Events whose handlers failed.',
  'solution service': 'Services of a solution and their settings.',
  upkeep: 'The removal of old data.',
}

/** The noun of a command line; undefined if there is no such noun. */
export function findNoun(args: readonly string[]): string | undefined {
  const word = args.find((one) => !one.startsWith('-')) ?? ''
  return Object.hasOwn(nouns, word) ? word : undefined
}

/** The commands of a noun by all of their words. */
export async function loadCommands(noun = ''): Promise<Listed> {
  const { about, load } = nouns[noun] ?? { about: '', load: async () => ({ commands: {} }) }
  const { commands }: { readonly commands: Commands } = await load()
  const own = Object.entries(commands).filter(([name]) => name.split(' ', 1)[0] === noun)
  return Object.fromEntries(own.map(([name, entry]) => [name, { summary: about, ...entry }]))
}

/** Every command of the API by its words. */
export async function allCommands(): Promise<Listed> {
  const all = await Promise.all(Object.keys(nouns).map(loadCommands))
  return Object.assign({}, ...all) as Listed
}
