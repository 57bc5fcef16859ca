import type { Activity } from '../activity/index.ts'
import type { Database } from '../database/index.ts'
import { type Logger, LruMap, limits } from '../kernel/index.ts'
import { allTopics, type ChangeTopic } from './topics.ts'

/** What an owner of an activity log belongs to, and what its lines are a change of. */
type LogOwner = { readonly businessId: string; readonly topic: ChangeTopic }

export type ChangesOptions = {
  readonly database: Pick<Database, 'hints' | 'afterCommit'>
  readonly activity: Pick<Activity, 'onLines'>
  /** The owner of an activity log; undefined if there is none with the id. */
  readonly ownerOf: (id: string) => Promise<LogOwner | undefined>
  readonly logger: Logger
}

export type TopicListener = (topics: readonly ChangeTopic[]) => void

export type Changes = {
  /** Sends it to who follows the business, in all processes; at the end of a joined transaction. */
  publish(businessId: string, topic: ChangeTopic): void
  /**
   * Calls the listener with what has changed, until the returned function is called: at once, and
   * then with what came within `limits.changesPauseMs`. Without hints of other processes for a
   * time, all may have changed.
   */
  follow(businessId: string, listener: TopicListener): () => void
}

/**
 * Nothing but a hint goes out for a change if nobody follows the business, so that a busy log
 * costs no more than its own hints.
 */
export function createChanges(options: ChangesOptions): Changes {
  const { database, activity } = options
  const followers = new Map<string, Set<Follower>>()
  const owners = new Owners(options)
  let listens = false

  function pass(businessId: string, topic: ChangeTopic): void {
    for (const follower of followers.get(businessId) ?? []) follower.add([topic])
  }

  function passAll(): void {
    for (const those of followers.values()) for (const one of those) one.add(allTopics)
  }

  function passLines(ownerIds: ReadonlySet<string> | undefined): void {
    if (followers.size === 0) return
    if (ownerIds === undefined) passAll()
    else
      for (const id of ownerIds) owners.find(id, ({ businessId, topic }) => pass(businessId, topic))
  }

  function listen(): void {
    if (listens) return
    listens = true
    activity.onLines(passLines)
    database.hints.listen('lines', passLines)
    database.hints.listen('changes', (keys) => {
      if (keys === undefined) passAll()
      for (const key of keys ?? []) {
        const [businessId = '', topic] = key.split(' ')
        pass(businessId, topic as ChangeTopic)
      }
    })
  }

  return {
    publish(businessId, topic) {
      database.afterCommit(() => {
        pass(businessId, topic)
        database.hints.tell('changes', `${businessId} ${topic}`)
      })
    },
    follow(businessId, listener) {
      listen()
      const follower = new Follower(listener)
      const those = followers.get(businessId) ?? new Set()
      followers.set(businessId, those.add(follower))
      return () => {
        follower.end()
        those.delete(follower)
        if (those.size === 0 && followers.get(businessId) === those) followers.delete(businessId)
      }
    },
  }
}

/** Passes the first topic at once, and what comes within a pause together behind it. */
class Follower {
  readonly #listener: TopicListener
  readonly #waiting = new Set<ChangeTopic>()
  #pause: NodeJS.Timeout | undefined

  constructor(listener: TopicListener) {
    this.#listener = listener
  }

  add(topics: Iterable<ChangeTopic>): void {
    for (const topic of topics) this.#waiting.add(topic)
    if (this.#pause === undefined) this.#pass()
  }

  end(): void {
    clearTimeout(this.#pause)
    this.#waiting.clear()
  }

  #pass(): void {
    this.#pause = undefined
    if (this.#waiting.size === 0) return
    const topics = [...this.#waiting]
    this.#waiting.clear()
    this.#pause = setTimeout(() => this.#pass(), limits.changesPauseMs).unref()
    this.#listener(topics)
  }
}

/** The owners of activity logs by their ids; one never goes over to another business. */
class Owners {
  readonly #options: Pick<ChangesOptions, 'ownerOf' | 'logger'>
  readonly #known = new LruMap<string, Promise<LogOwner | undefined>>(limits.changesOwnersMax)

  constructor(options: Pick<ChangesOptions, 'ownerOf' | 'logger'>) {
    this.#options = options
  }

  find(id: string, found: (owner: LogOwner) => void): void {
    const known = this.#known.get(id) ?? this.#read(id)
    known.then((owner) => {
      if (owner !== undefined) found(owner)
    })
  }

  #read(id: string): Promise<LogOwner | undefined> {
    const reading = this.#options.ownerOf(id).catch((error: unknown) => {
      this.#known.delete(id)
      this.#options.logger.info({ err: error }, 'the owner of a log could not be read')
      return undefined
    })
    this.#known.set(id, reading)
    return reading
  }
}
