import { defineTexts } from '../../ui/texts.ts'

/** Words that several parts of the editor show. */
export const pipelineTexts = defineTexts({
  pipeline: ['Pipeline', 'Pipeline'],
  editor: ['Editor', 'Editor'],
  versions: ['Versions', 'Versionen'],
  transform: ['transform', 'Transformation'],
  rule: ['rule', 'Regel'],
  action: ['action', 'Aktion'],
  faults: (count: number) => [`${count} ${count === 1 ? 'fault' : 'faults'}`, `${count} Fehler`],
  failed: (count: number) => [
    `${count} failed ${count === 1 ? 'call' : 'calls'}`,
    `${count} fehlgeschlagene${count === 1 ? 'r Aufruf' : ' Aufrufe'}`,
  ],
  outdated: ['outdated', 'veraltet'],
  noValue: ['no value', 'kein Wert'],
  links: ['Links', 'Verknüpfungen'],
  platform: ['the platform', 'die Plattform'],
})
