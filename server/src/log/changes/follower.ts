import { changesLimits } from './limits.ts'
import type { ChangeTopic } from './topics.ts'

/** The view of a caller: a business, and all of its groups or some of them. */
export type FollowedView = {
  readonly businessId: string
  readonly groups: 'all' | readonly string[]
}

export type TopicListener = (topics: readonly ChangeTopic[]) => void

/** Passes the first topic at once, and what comes within a pause together behind it. */
export class ChangeFollower {
  readonly groups: FollowedView['groups']
  readonly #listener: TopicListener
  readonly #waiting = new Set<ChangeTopic>()
  #pause: NodeJS.Timeout | undefined

  constructor({ groups }: FollowedView, listener: TopicListener) {
    this.groups = groups
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
    this.#pause = setTimeout(() => this.#pass(), changesLimits.changesPauseMs).unref()
    this.#listener(topics)
  }
}

/** The open followers of each business, those of all groups apart from those of some. */
export class Followers {
  readonly #whole = new Map<string, Set<ChangeFollower>>()
  readonly #some = new Map<string, Set<ChangeFollower>>()

  get isEmpty(): boolean {
    return this.#whole.size === 0 && this.#some.size === 0
  }

  /** @returns what ends it. */
  add(view: FollowedView, listener: TopicListener): () => void {
    const all = view.groups === 'all' ? this.#whole : this.#some
    const follower = new ChangeFollower(view, listener)
    const those = all.get(view.businessId) ?? new Set()
    all.set(view.businessId, those.add(follower))
    return () => {
      follower.end()
      those.delete(follower)
      if (those.size === 0 && all.get(view.businessId) === those) all.delete(view.businessId)
    }
  }

  ofAllGroups(businessId: string): Iterable<ChangeFollower> {
    return this.#whole.get(businessId) ?? []
  }

  ofSomeGroups(businessId: string): readonly ChangeFollower[] {
    return [...(this.#some.get(businessId) ?? [])]
  }

  /** All followers of all businesses. */
  passAll(to: 'all groups' | 'some groups', topics: Iterable<ChangeTopic>): void {
    const all = to === 'all groups' ? this.#whole : this.#some
    for (const those of all.values()) for (const one of those) one.add(topics)
  }
}
