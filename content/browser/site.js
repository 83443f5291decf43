/** Adds a copy button to every code sample. Without it the page lacks nothing else. */
const main = document.querySelector('main');
const copy = main?.dataset.copy ?? '';
const copied = main?.dataset.copied ?? '';
const confirmationMs = 2000;

for (const sample of document.querySelectorAll('.sample')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = copy;
  // A name that changes is announced, and so tells a screen reader that it worked.
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
