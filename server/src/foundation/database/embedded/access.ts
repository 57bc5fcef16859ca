import { readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '../../kernel/index.ts'
import { role } from './client.ts'
import { directoryArgument, type Place } from './place.ts'

const [rules, map] = ['millrace_hba.conf', 'millrace_ident.conf']
const root = 0

/**
 * Writes down who may connect, and returns the settings that name it. PostgreSQL reads the user of
 * a connecting process from the kernel: the user that serves, the owner of the data directory, and
 * root are let in. The user that runs the engine for root (`nobody`) is not, though it owns the
 * socket's directory.
 */
export async function writeAccess(place: Place): Promise<Record<string, string>> {
  const names = await userNames(place)
  // A user without an entry among the system's users cannot be named; the directory is closed.
  const method = names.length === 0 ? 'trust' : `peer map=${role}`
  replaceFile(join(place.cluster, rules), `local all all ${method}\n`, 0o644)
  const lines = names.map((name) => `${role} "${name}" ${role}\n`)
  replaceFile(join(place.cluster, map), lines.join(''), 0o644)
  const directory = directoryArgument(place, place.cluster)
  return { hba_file: `${directory}/${rules}`, ident_file: `${directory}/${map}` }
}

async function userNames(place: Place): Promise<string[]> {
  const own = ownName()
  if (own === undefined) return []
  const { uid } = await stat(place.dataDir)
  const others = await Promise.all([findUserName(root), findUserName(uid)])
  return [...new Set([own, ...others])].filter((name) => name !== undefined)
}

function ownName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

async function findUserName(uid: number): Promise<string | undefined> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const entries = text.split('\n').map((line) => line.split(':'))
  return entries.find(([, , id]) => id === String(uid))?.[0]
}
