import { Fault, hashToken, newToken, type Random } from '../../foundation/kernel/index.ts'
import type { Accounts } from './accounts.ts'
import type { NewAccount } from './schema.ts'

/** The page of the form, and the end of the link to it. */
export const firstAccountPath = '/first-account'

/**
 * The first account of an instance without any: whoever reads the output of the start makes it by a
 * link that is valid once, while the process runs and nobody has made an account otherwise.
 */
export class FirstAccount {
  readonly #accounts: Pick<Accounts, 'createBusiness' | 'listBusinesses'>
  readonly #random: Random
  #code: string | undefined

  constructor(accounts: Pick<Accounts, 'createBusiness' | 'listBusinesses'>, random: Random) {
    this.#accounts = accounts
    this.#random = random
  }

  /** Returns the link at the instance's address; undefined if there are accounts. */
  async link(httpUrl: string): Promise<string | undefined> {
    if (await this.#isTaken()) return undefined
    this.#code ??= newToken(this.#random)
    // A fragment is in no log of a proxy.
    return `${httpUrl}${firstAccountPath}#${this.#code}`
  }

  /** @throws Fault unknown_credential, invalid_argument, already_exists, overloaded. */
  async create({ code, business, email, password }: NewAccount) {
    const known = this.#code
    if (known === undefined || hashToken(code) !== hashToken(known) || (await this.#isTaken())) {
      throw new Fault('unknown_credential', 'The link is invalid or was already used.')
    }
    this.#code = undefined
    try {
      const administrator = { email, password }
      return await this.#accounts.createBusiness({ name: business, administrator })
    } catch (error) {
      // The form is sent once more.
      this.#code ??= known
      throw error
    }
  }

  async #isTaken(): Promise<boolean> {
    return (await this.#accounts.listBusinesses()).length > 0
  }
}
