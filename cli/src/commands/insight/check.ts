import { makeReport, parseHeaders, reportLines } from '@millrace/insight-sdk/commands'
import { defineCommand, exitCodes } from '../../command.ts'
import { asUsage } from './usage.ts'

export const insightCheck = defineCommand({
  options: {
    address: { meaning: 'The URL of the module; also without --address.', required: true },
    group: { meaning: 'The group of functions to list, if the module requires one.', default: '' },
    header: { meaning: 'A header of every call, such as "authorization: Basic …".', many: true },
  },
  operand: 'address',
  example: 'npx millrace insight check http://127.0.0.1:9401',
  routes: [],
  async run({ address, group, header }, { out }) {
    const report = await asUsage(() =>
      makeReport(address, { groupId: group, headers: parseHeaders(header) }),
    )
    out.show(report, () => reportLines(report))
    return report.failed === 0 ? exitCodes.done : exitCodes.failed
  },
})
