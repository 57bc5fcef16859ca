import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The commands that run beside the instance; they come with the server. A test compares the list.
 */
export const localCommands: Readonly<Record<string, { readonly summary: string }>> = {
  start: { summary: 'Run the platform with its demo, as npm start does.' },
  serve: { summary: 'Run the platform without a demo, until Ctrl-C.' },
  config: { summary: 'Print every setting, and every limit that can be set.' },
  migrate: {
    summary: 'Bring the tables of the database up to this version, as serve does at its start.',
  },
  'ca create': {
    summary: 'Create the built-in certificate authority of a connector, and print its certificate.',
  },
  'ca show': {
    summary: 'Print the certificate of the built-in certificate authority of a connector.',
  },
  'ca crl': { summary: "Show, set or clear the revocation list (CRL) of a connector's client CA." },
  'content list': { summary: 'Print the contents that the devices of a connector may download.' },
  'content put': { summary: 'Upload a file that the devices of a connector may download.' },
  'content show': { summary: 'Print the details of a content.' },
  'content remove': { summary: 'Delete a content; downloads in progress go on.' },
  'device whitelist': {
    summary: 'Whitelist the identities of a CSV file (columns ID, TLS Client Certificate, Tags).',
  },
  'device simulate': {
    summary: 'Simulate devices on this machine that activate and write data_in over real sockets.',
  },
  'module add': { summary: 'Register an insight module by its address, and print its id.' },
  'outbound allow': { summary: 'Allow the scripts of one business to call a private address.' },
  'outbound list': {
    summary: 'Print the private addresses that the scripts of one business may call.',
  },
  'outbound remove': {
    summary: 'Forbid the scripts of one business to call a private address again.',
  },
  'solution test': { summary: 'Run the *_test.lua files of a folder on a temporary instance.' },
  'solution run': {
    summary: 'Run one handler now, and print its log and its result; it calls real services.',
  },
  'interface show': { summary: 'Print the service that a solution exposes, as JSON.' },
  'interface client': {
    summary: 'Write a typed client of an exposed solution, in TypeScript or Lua.',
  },
  'interface check': {
    summary: 'Compare a definition with the live one; exit with 1 if it breaks a subscriber.',
  },
  'notifications import': {
    summary: 'Import the bindings of another service, from a file or from its API.',
  },
  'ledger show': { summary: 'Print the counts per stage and hour, newest first.' },
  'ledger verify': {
    summary: 'Verify that in = out + failed + pending at every stage; exit with 1 if not.',
  },
  'upkeep confirm': {
    summary: "Confirm that the machine's time is right, so that old data is removed again.",
  },
}

const server = join(import.meta.dirname, '..', '..', 'server', 'src', 'cli', 'index.ts')

type Local = { runCommand(args: readonly string[]): Promise<number> }

/** The commands of the server, where it is installed beside this package. */
export async function serverCommands(): Promise<Local | undefined> {
  if (!existsSync(server)) return undefined
  return (await import(pathToFileURL(server).href)) as Local
}
