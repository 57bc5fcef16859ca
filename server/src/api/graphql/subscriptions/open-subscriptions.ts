import {
  Fault,
  type Logger,
  limits,
  PollLoop,
  SharedBound,
} from '../../../foundation/kernel/index.ts'
import type { Accounts, Principal } from '../../../people/accounts/index.ts'
import type { Credential } from '../http/http.ts'
import { graphqlLimits } from '../limits.ts'

/** A subscription that is open. */
export type OpenSubscription = {
  /** Aborted when it ends; the reason is a Fault if the client is not the one who ended it. */
  readonly signal: AbortSignal
  /** Does nothing if it has ended. */
  end(): void
}

/** The holder of a subscription. */
export type SubscriptionHolder = { readonly principal: Principal; readonly credential: Credential }

type Open = SubscriptionHolder & {
  readonly controller: AbortController
  leave(): void
}

export type OpenSubscriptionsOptions = { readonly accounts: Accounts; readonly logger: Logger }

/**
 * The open subscriptions of this process. Their credentials are checked again twice a second, so
 * that none outlives its credential, or what it permitted, by a second.
 */
export class OpenSubscriptions {
  readonly #options: OpenSubscriptionsOptions
  readonly #open = new Set<Open>()
  readonly #bound = new SharedBound({
    what: 'subscriptions',
    max: () => limits.graphqlSubscriptionsMax,
    holderMax: () => graphqlLimits.graphqlSubscriptionsOfHolderMax,
  })
  /** Runs while one is open. */
  #checks: PollLoop | undefined

  constructor(options: OpenSubscriptionsOptions) {
    this.#options = options
  }

  /**
   * @param controller of what carries the subscription: aborted by either side.
   * @throws Fault overloaded past the limits of the process, of a business, or of a holder.
   */
  open(holder: SubscriptionHolder, controller: AbortController): OpenSubscription {
    this.#bound.requireRoom(holder.principal)
    const session: Open = { ...holder, controller, leave: this.#bound.enter(holder.principal) }
    this.#open.add(session)
    this.#startChecks()
    return { signal: controller.signal, end: () => this.#end(session) }
  }

  close(): void {
    for (const session of this.#open) this.#end(session, new Fault('server_closed'))
  }

  #end(session: Open, reason?: Fault): void {
    this.#open.delete(session)
    session.leave()
    session.controller.abort(reason)
    if (this.#open.size > 0) return
    void this.#checks?.stop()
    this.#checks = undefined
  }

  #startChecks(): void {
    if (this.#checks !== undefined) return
    this.#checks = new PollLoop({
      look: () => this.#check(),
      failed: (error) => {
        this.#options.logger.warn({ err: error }, 'the subscriptions could not be checked')
      },
      pollMs: graphqlLimits.graphqlSubscriptionCheckMs,
    })
    this.#checks.startLater()
  }

  async #check(): Promise<void> {
    const holders = Map.groupBy(this.#open, (session) => session.credential.authorization)
    await Promise.all([...holders.values()].map((sessions) => this.#checkAll(sessions)))
  }

  /** @param sessions of the same credential. */
  async #checkAll(sessions: readonly Open[]): Promise<void> {
    const { accounts, logger } = this.#options
    const credential = sessions[0]?.credential
    try {
      const now = await accounts.authorize(credential?.authorization, credential?.address)
      for (const session of sessions) {
        if (!permitsSame(session.principal, now)) this.#end(session, changed())
      }
    } catch (error) {
      if (error instanceof Fault && error.code === 'unknown_credential') {
        for (const session of sessions) this.#end(session, error)
        return
      }
      logger.warn({ err: error }, 'the credential of a subscription could not be checked')
    }
  }
}

function permitsSame(before: Principal, now: Principal): boolean {
  const view = ({ view: { businessId, groups } }: Principal) => JSON.stringify([businessId, groups])
  return (
    before.permissions.symmetricDifference(now.permissions).size === 0 && view(before) === view(now)
  )
}

function changed(): Fault {
  return new Fault('forbidden', 'The permissions of the credential have changed. Subscribe again.')
}
