import type { Database } from '../../foundation/database/index.ts'
import { type Logger, LruMap } from '../../foundation/kernel/index.ts'
import { type Changes, everyGroup, type SeenIn } from './changes.ts'
import {
  type ChangeFollower,
  type FollowedView,
  Followers,
  type TopicListener,
} from './follower.ts'
import { allTopics, type ChangeTopic, topicsInGroups } from './topics.ts'

/** Owners of activity logs of which a process knows the business. */
const changesOwnersMax = 20_000

/** The business of an activity log, and the topic that its lines change. */
type LogOwner = { readonly businessId: string; readonly topic: ChangeTopic }

export type LiveViewsOptions = {
  readonly database: Pick<Database, 'hints'>
  readonly changes: Pick<Changes, 'onChange'>
  /** The activity logs, which say who has new lines. */
  readonly activity: { onLines(listener: (ownerIds: ReadonlySet<string>) => void): void }
  /** Devices, whose lines are those of their connector. */
  readonly provisioning: {
    readonly connectors: {
      find(id: string): BusinessOf | Promise<BusinessOf | undefined>
    }
  }
  readonly scripting: {
    readonly solutions: { findBusiness(id: string): Promise<string | undefined> }
  }
  readonly groups: {
    /** The ids from the root to each of these groups, itself the last, as the tree is now. */
    paths(
      view: FollowedView,
      groupIds: readonly string[],
    ): Promise<ReadonlyMap<string, readonly string[]>>
  }
  readonly logger: Logger
}

type BusinessOf = { readonly businessId: string }

/** Notifies the lists of a business of the topics that have changed. */
export type LiveViews = {
  /**
   * Calls the listener with what has changed, until the returned function is called: at once, and
   * then with what came within `changesPauseMs`. Without hints of other processes for a
   * time, all may have changed.
   */
  follow(view: FollowedView, listener: TopicListener): () => void
}

export function createLiveViews(options: LiveViewsOptions): LiveViews {
  const { database, changes, activity } = options
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
    changes.onChange(({ businessId, topic, seenIn }) => {
      if (seenIn === undefined) pass(businessId, topic)
      else void places.pass(businessId, topic, seenIn)
    })
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
  readonly #options: Pick<LiveViewsOptions, 'database' | 'groups' | 'logger'>
  readonly #followers: Followers

  constructor(
    options: Pick<LiveViewsOptions, 'database' | 'groups' | 'logger'>,
    followers: Followers,
  ) {
    this.#options = options
    this.#followers = followers
  }

  listen(): void {
    this.#options.database.hints.listen('places', (keys) => {
      if (keys === undefined) this.#followers.passAll('some groups', topicsInGroups)
      for (const [place, own] of Map.groupBy(keys ?? [], readPlace)) {
        const [businessId = '', topic] = place.split(' ')
        const groupIds = own.map(readGroup)
        const seenIn = groupIds.includes(everyGroup) ? 'every' : groupIds
        void this.pass(businessId, topic as ChangeTopic, seenIn)
      }
    })
  }

  async pass(businessId: string, topic: ChangeTopic, seenIn: SeenIn): Promise<void> {
    const followers = this.#followers.ofSomeGroups(businessId)
    if (followers.length === 0 || seenIn.length === 0) return
    if (seenIn === 'every') for (const one of followers) one.add([topic])
    else {
      const above = await this.#above(businessId, seenIn)
      for (const one of followers) if (sees(one, above)) one.add([topic])
    }
  }

  /** The groups, and all in which they lie. */
  async #above(businessId: string, groupIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { groups, logger } = this.#options
    try {
      const paths = await groups.paths({ businessId, groups: 'all' }, [...new Set(groupIds)])
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
function readPlace(key: string): string {
  return key.slice(0, key.lastIndexOf(' '))
}

function readGroup(key: string): string {
  return key.slice(key.lastIndexOf(' ') + 1)
}

/** The owners of activity logs by their ids; one never goes over to another business. */
class Owners {
  readonly #options: Pick<LiveViewsOptions, 'provisioning' | 'scripting' | 'logger'>
  readonly #known = new LruMap<string, Promise<LogOwner | undefined>>(changesOwnersMax)

  constructor(options: Pick<LiveViewsOptions, 'provisioning' | 'scripting' | 'logger'>) {
    this.#options = options
  }

  find(id: string, found: (owner: LogOwner) => void): void {
    const known = this.#known.get(id) ?? this.#read(id)
    known.then((owner) => {
      if (owner !== undefined) found(owner)
    })
  }

  #read(id: string): Promise<LogOwner | undefined> {
    const reading = this.#findOwner(id).catch((error: unknown) => {
      this.#known.delete(id)
      this.#options.logger.info({ err: error }, 'the owner of a log could not be read')
      return undefined
    })
    this.#known.set(id, reading)
    return reading
  }

  async #findOwner(id: string): Promise<LogOwner | undefined> {
    const { provisioning, scripting } = this.#options
    const connector = await provisioning.connectors.find(id)
    if (connector !== undefined) return { businessId: connector.businessId, topic: 'devices' }
    const businessId = await scripting.solutions.findBusiness(id)
    return businessId === undefined ? undefined : { businessId, topic: 'solutions' }
  }
}
