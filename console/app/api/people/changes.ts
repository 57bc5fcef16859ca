import { type FollowOptions, follow, type operations } from '@millrace/client'
import type { Client } from '../client.ts'

type Answers = operations['followChanges']['responses'][200]['content']['text/event-stream']

/** A kind of things of the business that change. */
export type ChangeTopic = Extract<Answers, { event: 'changed' }>['data']['topics'][number]

/** What changes in the business, as it changes. @throws ApiError */
export async function* followChanges(
  client: Client,
  options: FollowOptions,
): AsyncGenerator<readonly ChangeTopic[]> {
  for await (const { data } of follow(client, '/api:1/changes', {}, options)) yield data.topics
}
