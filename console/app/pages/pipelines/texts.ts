import { defineTexts } from '../../ui/texts.ts'

/** Words that several parts of the editor show. */
export const pipelineTexts = defineTexts(
  {
    pipeline: 'Pipeline',
    editor: 'Editor',
    versions: 'Versions',
    transform: 'transform',
    rule: 'rule',
    action: 'action',
    off: 'off',
    faults: (count: number) => `${count} ${count === 1 ? 'fault' : 'faults'}`,
    failed: (count: number) => `${count} failed ${count === 1 ? 'call' : 'calls'}`,
    outdated: 'outdated',
    noValue: 'no value',
    links: 'Links',
    none: 'none',
    platform: 'the platform',
  },
  {
    de: {
      pipeline: 'Pipeline',
      editor: 'Editor',
      versions: 'Versionen',
      transform: 'Transformation',
      rule: 'Regel',
      action: 'Aktion',
      off: 'aus',
      faults: (count: number) => `${count} Fehler`,
      failed: (count: number) => `${count} fehlgeschlagene${count === 1 ? 'r Aufruf' : ' Aufrufe'}`,
      outdated: 'veraltet',
      noValue: 'kein Wert',
      links: 'Verknüpfungen',
      none: 'keine',
      platform: 'die Plattform',
    },
  },
)
