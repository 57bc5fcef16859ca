import { Button, Kbd } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { Icon } from '../components/icon.tsx'
import { defineTexts, useTexts } from '../ui/texts.ts'
import styles from './search.module.css'

const SearchDialog = lazy(async () => ({
  default: (await import('./search-dialog.tsx')).SearchDialog,
}))

const texts = defineTexts({
  search: ['Search', 'Suchen'],
})

/** Opens the search, also by Ctrl-K. */
export function SearchButton() {
  const t = useTexts(texts)
  const [isOpen, { open, close }] = useDisclosure(false)
  useHotkeys([['mod+K', open]], [])
  return (
    <>
      <Button variant="default" size="xs" leftSection={<Icon name="search" />} onClick={open}>
        <span className={styles.word}>
          {t.search} <Kbd size="xs">Ctrl K</Kbd>
        </span>
      </Button>
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={close} />
        </Suspense>
      )}
    </>
  )
}
