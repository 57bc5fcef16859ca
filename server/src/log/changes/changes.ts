import type { Database, Transaction } from '../../foundation/database/index.ts'
import { detached, type Logger } from '../../foundation/kernel/index.ts'
import type { ChangeTopic } from './topics.ts'

/** The groups in which a change is seen; `every`: all who see any group of the business see it. */
export type SeenIn = 'every' | readonly string[]

/** The business that an operation changes, by its id or by the caller or view in it. */
type Place = string | { readonly businessId: string }

/** A change that was committed; it comes once more with its groups, once they are known. */
type Change = {
  readonly businessId: string
  readonly topic: ChangeTopic
  readonly seenIn?: SeenIn
}

/** The bus on which operations publish their changes, and live views receive them. */
export type Changes = {
  /**
   * Publishes a change of a topic to all processes, once the transaction is committed; with the
   * database as `on` at once, or at the end of a joined transaction. Callers of some groups get a
   * change that is seen in one of theirs. If `seenIn` is left out, they get nothing: its time alone
   * would show them that others' things change. A function is called after the commit.
   */
  publish(
    on: Pick<Transaction, 'afterCommit'>,
    businessId: string,
    topic: ChangeTopic,
    seenIn?: SeenIn | (() => Promise<SeenIn>),
  ): void
  /** The operation, which publishes a change each time that it has succeeded. */
  publishing<At extends Place, Rest extends unknown[], Result>(
    topic: ChangeTopic,
    operation: (at: At, ...rest: Rest) => Promise<Result>,
  ): (at: At, ...rest: Rest) => Promise<Result>
  /** Calls the listener with each change that this process makes. */
  onChange(listener: (change: Change) => void): void
}

export type ChangesOptions = {
  readonly database: Pick<Database, 'hints' | 'afterCommit'>
  readonly logger: Logger
}

/** The key of hints about what is seen in every group of a business. */
export const everyGroup = '*'

/** Nothing but a hint goes out for a change that nobody in this process listens for. */
export function createChanges({ database, logger }: ChangesOptions): Changes {
  const listeners: ((change: Change) => void)[] = []
  const notify = (change: Change) => {
    for (const listener of listeners) listener(change)
  }

  async function place(
    businessId: string,
    topic: ChangeTopic,
    given: SeenIn | (() => Promise<SeenIn>),
  ): Promise<void> {
    try {
      const seenIn = typeof given === 'function' ? await given() : given
      const keys = seenIn === 'every' ? [everyGroup] : new Set(seenIn)
      for (const id of keys) database.hints.notify('places', `${businessId} ${topic} ${id}`)
      notify({ businessId, topic, seenIn })
    } catch (error) {
      logger.info({ err: error }, 'the groups of a change could not be read')
    }
  }

  const publish: Changes['publish'] = (on, businessId, topic, seenIn) =>
    on.afterCommit(() => {
      notify({ businessId, topic })
      database.hints.notify('changes', `${businessId} ${topic}`)
      if (seenIn !== undefined) detached(() => place(businessId, topic, seenIn))
    })

  return {
    publish,
    publishing:
      (topic, operation) =>
      async (at, ...rest) => {
        const result = await operation(at, ...rest)
        publish(database, typeof at === 'string' ? at : at.businessId, topic)
        return result
      },
    onChange: (listener) => void listeners.push(listener),
  }
}
