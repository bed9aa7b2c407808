#!/usr/bin/env python3
"""make_site.py SOURCE BUILD: makes the static site BUILD/site from docs/ by MkDocs, with the reference that Doxygen has made in
BUILD/reference. Links of the pages, which are those of the checkout, become links of the site:

- a public header: its page in the reference;
- another Markdown file of the project: a copy of it, as a page below project/;
- any other file: a copy of it below files/;
- a folder: plain text.

A line that is only a link to a program of the cookbook becomes the program's text.
"""
import os
import posixpath
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

LINK = re.compile(r'(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s#]*)(#[^)\s]*)?\)')
SOURCE_LINE = re.compile(r'^\[Source\]\(([^)]*\.cpp)\)$')


def header_pages(source, build):
    """The page of each header in the reference, by its path below include/."""
    pages = {}
    for entry in xml.etree.ElementTree.parse(os.path.join(build, 'reference/tags.xml')).iter('compound'):
        if entry.get('kind') == 'file':
            page = entry.findtext('filename')
            path = os.path.join(entry.findtext('path') or '', entry.findtext('name'))
            pages[os.path.relpath(path, os.path.join(source, 'include'))] = page if page.endswith('.html') else page + '.html'
    return pages


class Site:
    def __init__(self, source, build):
        self.source = source
        self.pages = os.path.join(build, 'site-pages')
        self.headers = header_pages(source, build)
        shutil.rmtree(self.pages, ignore_errors=True)
        shutil.copytree(os.path.join(build, 'reference/html'), os.path.join(self.pages, 'api'))
        self.done = set()
        self.waiting = []
        self.unknown = []

    def place(self, path):
        """The page that shows the Markdown file PATH of the checkout."""
        if path == 'docs/main.md':
            return 'index.md'
        return path[5:] if path.startswith('docs/') else 'project/' + path

    def target(self, page, path):
        """The link from PAGE to the file PATH of the checkout; None for a link that the site does not have."""
        full = os.path.join(self.source, path)
        if path.startswith('include/') and path.endswith('.hpp'):
            name = self.headers.get(path[len('include/'):])
            if name is None:
                self.unknown.append(f'{page}: {path} is not in the reference')
                return None
            place = 'api/' + name
        elif os.path.isdir(full):
            return None
        elif not os.path.exists(full):
            self.unknown.append(f'{page}: {path} does not exist')
            return None
        elif path.endswith('.md'):
            self.waiting.append(path)
            place = self.place(path)
        elif path.startswith('docs/'):
            place = path[5:]
            self.copy(path, place)
        else:
            place = 'files/' + path
            self.copy(path, place)
        return posixpath.relpath(place, posixpath.dirname(page) or '.')

    def copy(self, path, place):
        target = os.path.join(self.pages, place)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(os.path.join(self.source, path), target)

    def add(self, path):
        if path in self.done:
            return
        self.done.add(path)
        page = self.place(path)
        folder = posixpath.dirname(path)

        def link(match):
            picture, text, where, anchor = match.group(1), match.group(2), match.group(3), match.group(4) or ''
            if where == '' or ':' in where:
                return match.group(0)
            file = posixpath.normpath(posixpath.join(folder, where))
            if file.startswith('..'):
                self.unknown.append(f'{page}: {where} is outside the project')
            place = self.target(page, file)
            return text if place is None else f'{picture}[{text}]({place}{anchor})'

        lines, in_code = [], False
        with open(os.path.join(self.source, path), encoding='utf-8') as text:
            for line in text.read().split('\n'):
                if line.startswith('```'):
                    in_code = not in_code
                program = SOURCE_LINE.match(line)
                if in_code or line.startswith('```'):
                    lines.append(line)
                elif program:
                    with open(os.path.join(self.source, folder, program.group(1)), encoding='utf-8') as code:
                        lines += ['```cpp', code.read().rstrip('\n'), '```']
                else:
                    lines.append(LINK.sub(link, line))
        target = os.path.join(self.pages, page)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, 'w', encoding='utf-8') as out:
            out.write('\n'.join(lines))

    def add_all(self, paths):
        self.waiting += paths
        while self.waiting:
            self.add(self.waiting.pop())


def main():
    source, build = (os.path.abspath(path) for path in sys.argv[1:3])
    site = Site(source, build)
    docs = os.path.join(source, 'docs')
    pages = [f'docs/{name}' for name in sorted(os.listdir(docs)) if name.endswith('.md')]
    pages += [f'docs/methods/{name}' for name in sorted(os.listdir(os.path.join(docs, 'methods')))]
    site.add_all(pages + ['tests/bench/README.md', 'CHANGELOG.md', 'MIGRATING.md', 'CONTRIBUTING.md'])
    with open(os.path.join(site.pages, 'api.md'), 'w', encoding='utf-8') as page:
        page.write('# Reference of the headers\n\n| header | page |\n|---|---|\n')
        for name, place in sorted(site.headers.items()):
            page.write(f'| `{name}` | [{posixpath.basename(name)}](api/{place}) |\n')
    if site.unknown:
        sys.exit('\n'.join(site.unknown))

    shutil.copyfile(os.path.join(docs, 'site/mkdocs.yml'), os.path.join(build, 'mkdocs.yml'))
    with open(os.path.join(build, 'mkdocs.yml'), 'a', encoding='utf-8') as settings:
        settings.write(f'docs_dir: {site.pages}\nsite_dir: {os.path.join(build, "site")}\n')
    subprocess.run(['mkdocs', 'build', '--strict', '--clean', '--config-file', os.path.join(build, 'mkdocs.yml')],
                   check=True)


main()
