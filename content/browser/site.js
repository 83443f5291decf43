/** Adds a copy button to every code sample. The pages have no other script. */
const main = document.querySelector('main');
const copy = main?.dataset.copy ?? '';
const copied = main?.dataset.copied ?? '';
const confirmationMs = 2000;

for (const sample of document.querySelectorAll('.sample')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = copy;
  // Screen readers announce the changed name, so their users know that the sample was copied.
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(sample.querySelector('code')?.textContent ?? '');
    button.textContent = copied;
    setTimeout(() => {
      button.textContent = copy;
    }, confirmationMs);
  });
  sample.append(button);
}
