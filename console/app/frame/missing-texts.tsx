import { Alert, Button } from '@mantine/core'
import { Icon } from '../components/icon.tsx'
import { type Language, languages, setLanguage, translated } from '../ui/texts.ts'
import styles from './missing-texts.module.css'

/** In the language that is missing: these words come with the page. */
const words: Readonly<Record<Language, { readonly title: string; readonly retry: string }>> = {
  en: { title: 'The English texts could not be loaded', retry: 'Try again' },
  de: { title: 'Die deutschen Texte konnten nicht geladen werden', retry: 'Erneut versuchen' },
}

/** Says that the texts of the chosen language did not load; English is always there. */
export function MissingTexts() {
  const missing = translated.useFailed()
  if (missing === undefined) return null
  const { title, retry } = words[missing]
  return (
    <div lang={missing} className={styles.place}>
      <Alert color="orange" role="alert" title={title} icon={<Icon name="warning" />}>
        <Button size="xs" mr="xs" onClick={translated.retry}>
          {retry}
        </Button>
        <Button size="xs" variant="default" lang="en" onClick={() => setLanguage('en')}>
          {languages.en}
        </Button>
      </Alert>
    </div>
  )
}
