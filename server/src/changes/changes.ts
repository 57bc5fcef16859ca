import type { Activity } from '../activity/index.ts'
import type { Database } from '../database/index.ts'
import { detached, type Logger, LruMap, limits } from '../kernel/index.ts'
import {
  type ChangeFollower,
  type FollowedView,
  Followers,
  type TopicListener,
} from './follower.ts'
import { allTopics, type ChangeTopic, topicsInGroups } from './topics.ts'

/** What an owner of an activity log belongs to, and what its lines are a change of. */
type LogOwner = { readonly businessId: string; readonly topic: ChangeTopic }

/** The groups in which a change is seen; `every`: all who see any group of the business see it. */
export type SeenIn = 'every' | readonly string[]

export type ChangesOptions = {
  readonly database: Pick<Database, 'hints' | 'afterCommit'>
  readonly activity: Pick<Activity, 'onLines'>
  /** The owner of an activity log; undefined if there is none with the id. */
  readonly ownerOf: (id: string) => Promise<LogOwner | undefined>
  /** The ids from the root to each of these groups, itself the last, as the tree is now. */
  readonly groupPaths: (
    view: FollowedView,
    groupIds: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly string[]>>
  readonly logger: Logger
}

export type Changes = {
  /**
   * Sends it to who follows the business, in all processes; at the end of a joined transaction.
   * Callers of some groups get what is seen in one of theirs. If it is not given where a change is
   * seen, they get nothing: its time alone would show them that others' things change. A function
   * is called after the commit.
   */
  publish(businessId: string, topic: ChangeTopic, seenIn?: SeenIn | (() => Promise<SeenIn>)): void
  /**
   * Calls the listener with what has changed, until the returned function is called: at once, and
   * then with what came within `limits.changesPauseMs`. Without hints of other processes for a
   * time, all may have changed.
   */
  follow(view: FollowedView, listener: TopicListener): () => void
}

/** The key of hints about what is seen in every group of a business. */
const everyGroup = '*'

/**
 * Nothing but a hint goes out for a change if nobody follows the business, so that a busy log
 * costs no more than its own hints.
 */
export function createChanges(options: ChangesOptions): Changes {
  const { database, activity } = options
  const followers = new Followers()
  const owners = new Owners(options)
  const places = new Places(options, followers)
  let listens = false

  function pass(businessId: string, topic: ChangeTopic): void {
    for (const follower of followers.ofAllGroups(businessId)) follower.add([topic])
  }

  function passLines(ownerIds: ReadonlySet<string> | undefined): void {
    if (followers.isEmpty) return
    if (ownerIds === undefined) followers.passAll('all groups', allTopics)
    else
      for (const id of ownerIds) owners.find(id, ({ businessId, topic }) => pass(businessId, topic))
  }

  function listen(): void {
    if (listens) return
    listens = true
    activity.onLines(passLines)
    database.hints.listen('lines', passLines)
    database.hints.listen('changes', (keys) => {
      if (keys === undefined) followers.passAll('all groups', allTopics)
      for (const key of keys ?? []) {
        const [businessId = '', topic] = key.split(' ')
        pass(businessId, topic as ChangeTopic)
      }
    })
    places.listen()
  }

  return {
    publish(businessId, topic, seenIn) {
      database.afterCommit(() => {
        pass(businessId, topic)
        database.hints.notify('changes', `${businessId} ${topic}`)
        if (seenIn !== undefined) detached(() => places.publish(businessId, topic, seenIn))
      })
    },
    follow(view, listener) {
      listen()
      return followers.add(view, listener)
    },
  }
}

/**
 * Changes by the groups in which they are seen, for callers of some groups. They have hints of
 * their own: of too many groups at once those of all groups read nothing again.
 */
class Places {
  readonly #options: Pick<ChangesOptions, 'database' | 'groupPaths' | 'logger'>
  readonly #followers: Followers

  constructor(
    options: Pick<ChangesOptions, 'database' | 'groupPaths' | 'logger'>,
    followers: Followers,
  ) {
    this.#options = options
    this.#followers = followers
  }

  listen(): void {
    this.#options.database.hints.listen('places', (keys) => {
      if (keys === undefined) this.#followers.passAll('some groups', topicsInGroups)
      for (const [place, groupIds] of Map.groupBy(keys ?? [], placeOf)) {
        const [businessId = '', topic] = place.split(' ')
        this.#pass(businessId, topic as ChangeTopic, groupIds.map(groupOf))
      }
    })
  }

  async publish(
    businessId: string,
    topic: ChangeTopic,
    seenIn: SeenIn | (() => Promise<SeenIn>),
  ): Promise<void> {
    const { database, logger } = this.#options
    try {
      const seen = typeof seenIn === 'function' ? await seenIn() : seenIn
      const groupIds = seen === 'every' ? [everyGroup] : [...new Set(seen)]
      for (const id of groupIds) database.hints.notify('places', `${businessId} ${topic} ${id}`)
      await this.#pass(businessId, topic, groupIds)
    } catch (error) {
      logger.info({ err: error }, 'the groups of a change could not be read')
    }
  }

  async #pass(businessId: string, topic: ChangeTopic, groupIds: readonly string[]): Promise<void> {
    const followers = this.#followers.ofSomeGroups(businessId)
    if (followers.length === 0 || groupIds.length === 0) return
    if (groupIds.includes(everyGroup)) for (const one of followers) one.add([topic])
    else {
      const above = await this.#above(businessId, groupIds)
      for (const one of followers) if (sees(one, above)) one.add([topic])
    }
  }

  /** The groups, and all in which they lie. */
  async #above(businessId: string, groupIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { groupPaths, logger } = this.#options
    try {
      const paths = await groupPaths({ businessId, groups: 'all' }, groupIds)
      return new Set([...paths.values()].flat())
    } catch (error) {
      logger.info({ err: error }, 'the paths of groups could not be read')
      return new Set()
    }
  }
}

function sees({ groups }: ChangeFollower, above: ReadonlySet<string>): boolean {
  return groups === 'all' || groups.some((id) => above.has(id))
}

/** The business and the topic of a key. */
function placeOf(key: string): string {
  return key.slice(0, key.lastIndexOf(' '))
}

function groupOf(key: string): string {
  return key.slice(key.lastIndexOf(' ') + 1)
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
