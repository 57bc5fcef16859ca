import { randomBytes } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  type BackupProgress,
  backUpDatabase,
  type KeyFile,
  newDirectory,
  restoreDatabase,
  verifyBackupFile,
} from '../../foundation/database/index.ts'
import { createFileOnce, createLogger, syncFolder } from '../../foundation/kernel/index.ts'
import type { Config } from '../config/index.ts'
import { type Command, type Invocation, ownConfig, pathIn, print, UsageError } from './command.ts'
import { endsWithProcess, Interrupted } from './signals.ts'

/**
 * Files of the data directory that hold keys, by their names in a backup. The CA is among the rows;
 * its files are those that a version of before has left.
 */
const keyFiles: Readonly<Record<string, string>> = {
  'instance.key': 'instance.key',
  'ca-key.pem': join('tls', 'ca-key.pem'),
  'ca.pem': join('tls', 'ca.pem'),
}

const file = { meaning: 'The file of the backup.', required: true } as const

export const backup: Command = {
  name: 'backup',
  summary: 'Write all data of the instance into a file, while it runs.',
  options: {
    file,
    keys: {
      meaning:
        'Also write the keys of the instance, unencrypted: keep such a file like a password.',
      flag: true,
    },
    replace: { meaning: 'Replace the file if there is one.', flag: true },
  },
  operand: 'file',
  example: 'npx millrace backup backup.tar',
  async run({ file: given = '', keys, replace }, invocation) {
    const config = ownConfig(invocation)
    const path = pathIn(invocation.folder, given)
    if (replace === undefined && (await exists(path))) {
      throw new UsageError(`${given} exists; --replace overwrites it`)
    }
    if (config.databaseUrl === undefined && !(await exists(config.dataDir))) {
      throw new UsageError(`there is no data directory ${config.dataDir} (MILLRACE_DATA)`)
    }
    const files = keys === undefined ? [] : await readKeys(config)
    const draft = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`)
    try {
      const output = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true })
      const { rows, bytes } = await interruptible(invocation, config, () => {
        const progress = makeProgress('written', invocation)
        const options = { keys: files, progress, signal: invocation.signal }
        return backUpDatabase(databaseOptions(config), output, options)
      })
      await rename(draft, path)
      syncFolder(dirname(path))
      print(invocation, `${rows} rows, ${formatSize(bytes)}: ${given}`)
      for (const line of await aboutKeys(config, files)) print(invocation, line)
      return 0
    } finally {
      await rm(draft, { force: true })
    }
  },
}

export const backupVerify: Command = {
  name: 'backup verify',
  summary: 'Read a whole backup and check that no part of it is missing or changed.',
  options: {
    file,
    'from-start': { meaning: 'Do not go on with an interrupted check: read all.', flag: true },
  },
  operand: 'file',
  example: 'npx millrace backup checked.tar && npx millrace backup verify checked.tar',
  async run({ file = '', 'from-start': fromStart }, invocation) {
    const { folder, signal } = invocation
    const report = (line: string) => remark(invocation, line)
    const { createdAt, tables, parts, hasKeys } = await interruptible(invocation, undefined, () =>
      verifyBackupFile(pathIn(folder, file), {
        fromStart: fromStart !== undefined,
        signal,
        resumed: (checked, all) => report(`goes on after part ${checked} of ${all}`),
        progress: makeProgress('checked', invocation),
        notKept: (state, error) => report(`cannot keep ${state}: ${error.message}`),
      }),
    )
    print(invocation, `The backup of ${createdAt} is whole: ${tables} tables in ${parts} parts.`)
    print(invocation, hasKeys ? 'It holds the keys of the instance.' : 'It holds no keys.')
    return 0
  },
}

export const restore: Command = {
  name: 'restore',
  summary: 'Fill a new data directory, or an empty database, from a backup.',
  options: { file },
  operand: 'file',
  example:
    'npx millrace backup moved.tar && MILLRACE_DATA=./restored npx millrace restore moved.tar',
  async run({ file: given = '' }, invocation) {
    const { folder, signal } = invocation
    const config = ownConfig(invocation)
    const path = pathIn(folder, given)
    await access(path, constants.R_OK)
    await mkdir(config.dataDir, { recursive: true, mode: newDirectory })
    const { createdAt, rows, keys } = await interruptible(invocation, config, () =>
      restoreDatabase(
        { ...databaseOptions(config), owner: true },
        createReadStream(path, { signal }),
        {
          progress: makeProgress('read', invocation),
        },
      ),
    )
    print(invocation, `Restored ${rows} rows of ${createdAt}.`)
    for (const line of writeKeys(config, keys)) print(invocation, line)
    print(invocation, 'millrace ledger verify checks that every message is accounted for.')
    return 0
  },
}

/** @throws Interrupted after the work has ended, if a signal came. */
async function interruptible<Result>(
  { signal }: Pick<Invocation, 'signal'>,
  config: Config | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  endsWithProcess(() => config)
  try {
    return await work()
  } catch (error) {
    throw signal.aborted ? new Interrupted('interrupted') : error
  }
}

function databaseOptions({ databaseUrl: url, dataDir, logLevel }: Config) {
  return { url, dataDir, owner: false, logger: createLogger(logLevel) }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function readKeys({ dataDir }: Config): Promise<KeyFile[]> {
  const files: KeyFile[] = []
  for (const [name, place] of Object.entries(keyFiles)) {
    const bytes = await readFile(join(dataDir, place)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (bytes !== undefined) files.push({ name, bytes })
  }
  // Without its key the certificate is a copy.
  const hasCa = files.some(({ name }) => name === 'ca-key.pem')
  return files.filter(({ name }) => hasCa || name !== 'ca.pem')
}

/** Says which keys a restore needs that this backup does not have. */
async function aboutKeys(config: Config, files: readonly KeyFile[]): Promise<string[]> {
  if (files.length > 0) return [`It holds keys: ${files.map(({ name }) => name).join(', ')}.`]
  if (config.instanceKey !== undefined) return ['It holds no keys. Keep MILLRACE_INSTANCE_KEY.']
  const there = await readKeys(config)
  if (there.length === 0) return []
  const names = there.map(({ name }) => keyFiles[name]).join(', ')
  return [`It holds no keys. Keep ${names} of ${config.dataDir}, or use --keys.`]
}

/** A key that is there stays: what it encrypted could not be read any more. */
function writeKeys({ dataDir, instanceKey }: Config, keys: readonly KeyFile[]): string[] {
  const known = keys.filter(({ name }) => keyFiles[name] !== undefined)
  const lines = known.flatMap(({ name, bytes }) => {
    if (name === 'instance.key' && instanceKey !== undefined) return []
    const place = join(dataDir, keyFiles[name] ?? '')
    const text = bytes.toString('utf8')
    const mode = name === 'ca.pem' ? 0o644 : 0o600
    if (createFileOnce(place, text, mode) === text) return []
    return [`${place} is another key than that of the backup, and was left as it is.`]
  })
  if (known.length > 0 || instanceKey !== undefined) return lines
  return [
    `Put instance.key of the old instance into ${dataDir}, and its tls/ca-key.pem if it has one.`,
  ]
}

const progressEveryMs = 5_000
const mebibyte = 1_048_576

type Progress = BackupProgress & {
  /** Bytes of all, if they are known. */
  readonly ofBytes?: number
}

/** Prints at times how far it is, to the error stream. */
function makeProgress(
  done: string,
  output: Pick<Invocation, 'stderr'>,
): (progress: Progress) => void {
  let printedMs = performance.now()
  return ({ table, bytes, ofBytes }) => {
    if (performance.now() - printedMs < progressEveryMs) return
    printedMs = performance.now()
    const share =
      ofBytes === undefined ? '' : ` of ${formatSize(ofBytes)} (${formatPercent(bytes, ofBytes)})`
    remark(output, `${formatSize(bytes)}${share} ${done}, at ${table}`)
  }
}

function formatPercent(bytes: number, ofBytes: number): string {
  return `${Math.floor((100 * bytes) / ofBytes)} %`
}

function remark({ stderr }: Pick<Invocation, 'stderr'>, line: string): void {
  stderr.write(`${line}\n`)
}

function formatSize(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MiB`
}
