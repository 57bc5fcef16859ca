import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Invocation, pathIn, UsageError } from '../invocation.ts'

/** An instance with the credential that `millrace login` keeps: never a password. */
export type Profile = {
  readonly url: string
  readonly apiToken?: string
  readonly session?: string
  /** A file with the certificates (PEM) of the instance's authority. */
  readonly ca?: string
}

export const defaultProfile = 'default'

/** The profiles of the user, in a file that only the user can read. */
export class Profiles {
  readonly #path: string

  constructor(invocation: Pick<Invocation, 'env' | 'folder' | 'home'>) {
    const { env, folder } = invocation
    const settings = env.XDG_CONFIG_HOME || join(invocation.home, '.config')
    this.#path = join(pathIn(folder, settings), 'millrace', 'profiles.json')
  }

  find(name: string): Profile | undefined {
    const all = this.#read()
    return Object.hasOwn(all, name) ? all[name] : undefined
  }

  names(): string[] {
    return Object.keys(this.#read()).sort()
  }

  keep(name: string, profile: Profile): void {
    const all = this.#read()
    all[name] = profile
    this.#write(all)
  }

  remove(name: string): void {
    const all = this.#read()
    delete all[name]
    this.#write(all)
  }

  #read(): Record<string, Profile> {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
      throw error
    }
    try {
      return JSON.parse(text) as Record<string, Profile>
    } catch {
      throw new UsageError(`${this.#path} is no JSON: repair it, or remove it and log in again`)
    }
  }

  #write(all: Record<string, Profile>): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    const draft = `${this.#path}.${randomUUID()}`
    writeFileSync(draft, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
    renameSync(draft, this.#path)
  }
}
