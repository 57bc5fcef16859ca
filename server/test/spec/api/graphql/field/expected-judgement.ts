import { toIso } from '../../../../../src/foundation/kernel/index.ts'
import type { Plant } from './plant.ts'

/** Returns the answers to the documents about statuses, and what people do about them. */
export function expectedJudgement(plant: Plant) {
  return { ...expectStatuses(plant), ...expectWork(plant) }
}

function expectStatuses({ assets, links, judged, startS }: Plant) {
  const timestamp = toIso((startS + 1) * 1_000_000)
  const of = { additionalFields: { ruleId: links.rule.id, signalId: assets.heat } }
  const hot = { timestamp, category: 'default', level: 'warning', value: 71, valueString: '71' }
  const silent = {
    category: 'timeout',
    level: 'warning',
    value: null,
    valueString: null,
    additionalFields: { ruleId: null, signalId: assets.heat },
  }
  const about = { asset: { id: assets.pump }, policy: { id: judged.policy } }
  return {
    statuses: [
      { id: assets.truck, categories: [] },
      { id: 'unknown', lastHeard: null, categories: [] },
      {
        id: assets.pump,
        categories: [
          { category: 'timeout', values: [{ ...silent, timestamp, type: null }] },
          { category: 'default', values: [{ ...hot, ...of, type: 'threshold' }] },
        ],
      },
    ],
    conditions: {
      total: 2,
      results: [
        {
          ...silent,
          ...about,
          id: judged.silence,
          timestamp: toIso((startS + 61) * 1_000_000),
        },
        { ...hot, ...of, ...about, id: judged.condition },
      ],
    },
    events: [
      {
        level: 'warning',
        category: 'default',
        asset: { id: assets.pump },
        user: null,
        template_parameters: {
          ...of.additionalFields,
          previous: 'normal',
          type: 'threshold',
          value: 71,
          time: timestamp,
        },
      },
    ],
  }
}

function expectWork({ judged, groups, people, account }: Plant) {
  const version = (number: number, text: string) => ({
    name: 'Stop the pump',
    filename: `pump-${text}.pdf`,
    version: number,
    extension: 'pdf',
    fileLastModified: '2026-01-31T12:00:00.000000Z',
  })
  const whole = (number: number, text: string, id: string | undefined) => ({
    ...version(number, text),
    id,
    workInstructionId: judged.instruction,
    group: { id: groups.hall },
    fileData: Buffer.from(text).toString('base64'),
  })
  const [second, first] = judged.versions
  return {
    comments: [{ id: judged.comment, comment: 'Seen.', user: { id: people.owner } }],
    policies: [
      {
        id: judged.policy,
        priority: 2,
        workInstructionId: judged.instruction,
        workInstruction: { id: judged.instruction },
        translations: [{ language: 'en', name: 'Too hot', policy: 'Stop it.' }],
      },
    ],
    instructions: [
      {
        ...version(2, 'two'),
        id: judged.instruction,
        group: { id: groups.hall },
        fileData: Buffer.from('two').toString('base64'),
        versions: [whole(2, 'two', second), whole(1, 'one', first)],
        contents: [
          { ...version(2, 'two'), id: second },
          { ...version(1, 'one'), id: first },
        ],
      },
    ],
    change: {
      level: 'info',
      category: 'audit',
      asset: null,
      user: { id: people.owner },
      template_parameters: {
        name: account.email,
        source: 'graphql',
        address: '127.0.0.1',
        action: 'commentCondition',
        target: judged.condition,
        outcome: 'done',
      },
    },
  }
}
