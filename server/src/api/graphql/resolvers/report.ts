import { Fault } from '../../../foundation/kernel/index.ts'
import type { Resolvers } from '../generated/resolvers.ts'
import { toPage } from '../inputs.ts'

export const reportResolvers = {
  Query: {
    reports(_, { pagination }, { reports, principal }) {
      return reports.list(principal.view, principal.subject, toPage(pagination))
    },

    async reportStatus(_, { job_id: id }, { reports, principal }) {
      try {
        return await reports.get(principal.view, principal.subject, id)
      } catch (error) {
        if (error instanceof Fault && error.code === 'not_found') return null
        throw error
      }
    },

    report(_, { job_id: id, expires_in: seconds }, { reports, principal }) {
      return reports.url(principal.view, principal.subject, id, seconds)
    },
  },

  Mutation: {
    async createReport(_, { report_info: wanted }, { reports, principal }) {
      const { start_timestamp: start, end_timestamp: end, ...rest } = wanted
      const made = await reports.create(principal.view, principal.subject, { start, end, ...rest })
      return made.id
    },

    deleteReport(_, { job_id: id }, { reports, principal }) {
      return reports.remove(principal.view, principal.subject, id)
    },
  },

  ReportStatus: {
    job_id: ({ id }) => id,
    query: ({ query: { start, end, ...rest } }) => {
      return { start_timestamp: start, end_timestamp: end, ...rest }
    },
    length: ({ bytes }) => bytes,
    content_id: ({ id, state }) => (state === 'completed' ? id : null),
    start_time: ({ createdAt }) => createdAt,
    update_time: ({ updatedAt }) => updatedAt,
    expires_at: ({ expiresAt }) => expiresAt,
  },
} satisfies Resolvers
