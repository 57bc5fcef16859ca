import { changeTopics } from '../../../changes/index.ts'
import { StrictObject, Type } from '../../../kernel/index.ts'
import { refusalSchema } from '../common.ts'
import { contract } from '../contract.ts'

const topic = Type.Enum(Object.keys(changeTopics) as (keyof typeof changeTopics)[], {
  component: 'ChangeTopic',
  description: Object.entries(changeTopics)
    .map(([name, text]) => `\`${name}\`: ${text}`)
    .join(' '),
})

const topics = StrictObject({ topics: Type.Array(topic) })

const heartbeat = 'The milliseconds between its comments.'

export const followChanges = contract(
  {
    id: 'followChanges',
    method: 'GET',
    path: '/api:1/changes',
    permission: 'account',
    tag: 'accounts',
    summary: 'Follow which kinds of things of the business change.',
    description:
      'Server-sent events without content: `covers` comes first, with the topics whose changes ' +
      'are sent; then `changed`, and a program that shows a list reads it again, at most one in ' +
      'a second. What changed before the stream was open does not come: read the lists when it ' +
      'is. Of what the caller may not list there are none. Callers of some groups get what ' +
      'changes in these, of some topics; other lists they read by a timer. The stream ends ' +
      'within a second if the credential is revoked, or what it permits changes.',
  },
  () => ({
    answers: {
      200: {
        description: 'Events `covers` and `changed`, until an event `end` with the reason.',
        events: { covers: topics, changed: topics, end: refusalSchema },
        headers: { 'millrace-heartbeat': Type.Integer({ description: heartbeat }) },
      },
    },
    refuses: ['forbidden'],
  }),
)
