"""What a location may be, and which files it names."""

import errno
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.locations import (
    Address,
    ListedFiles,
    LocalPath,
    PackageMember,
    escapes,
    local_files,
    matching_files,
    matching_members,
    parse,
)
from wordkin.errors import InputError


def plant(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def names(files: list[Path], root: Path) -> list[str]:
    return [file.relative_to(root).as_posix() for file in files]


# ── parse ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("location", "value"),
    [
        ("corpora/hu/raw/*.srt", LocalPath("corpora/hu/raw/*.srt")),
        ("/data/wiki", LocalPath("/data/wiki")),
        ("./odd:name.txt", LocalPath("./odd:name.txt")),
        ("C:/data/wiki", LocalPath("C:/data/wiki")),
        ("https://example.org/a/b.bz2", Address("https://example.org/a/b.bz2")),
        ("HTTP://example.org/b.bz2#part", Address("http://example.org/b.bz2")),
        ("wheel:gensim==4.4.0!g/a.bz2", PackageMember("wheel", "gensim", "4.4.0", "g/a.bz2")),
        ("wheel:A_b.c==1.0rc1+x!d/*/e/", PackageMember("wheel", "A_b.c", "1.0rc1+x", "d/*/e")),
        ("wheel:a==1!what!now", PackageMember("wheel", "a", "1", "what!now")),
        ("sdist:Divisi2==2.2.5!d/g", PackageMember("sdist", "Divisi2", "2.2.5", "d/g")),
        ("deb:a-b=1:7.5~1-2!usr/x", PackageMember("deb", "a-b", "1:7.5~1-2", "usr/x")),
        ("npm:a-b@4.2.0-rc.1!x.json", PackageMember("npm", "a-b", "4.2.0-rc.1", "x.json")),
        ("npm:@a/b@1.0.0!x", PackageMember("npm", "@a/b", "1.0.0", "x")),
        ("listed:https://a.org/b/!*.gz", ListedFiles("https://a.org/b/", "*.gz")),
    ],
)
def test_each_kind_of_location_has_its_type(location: str, value: object) -> None:
    assert parse(location) == value


@pytest.mark.parametrize(
    ("location", "complaint"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("a\0b", "control character"),
        ("ftp://example.org/a", "unknown scheme 'ftp'"),
        ("s3://", "such as s3://bucket/text/*.bz2"),
        ("s3://bucket//a", "such as s3://bucket/text/*.bz2"),
        ("pypi:gensim==4.4.0!a", "unknown scheme 'pypi'"),
        ("https:///a.txt", "no host"),
        ("https://example.org", "names no file"),
        ("https://example.org/dumps/", "names no file"),
        ("https://example.org:port/a", "not valid"),
        ("https://[::1/a", "not valid"),
        ("https://example.org/a/../../b", "'..'"),
        ("https://example.org/a/%2e%2e/b", "'..'"),
        ("wheel:gensim==4.4.0", "no !member"),
        ("wheel:gensim==4.4.0!", "no !member"),
        ("wheel:gensim!a.txt", "no ==version"),
        ("wheel:==1!a.txt", "bad package name or version"),
        ("wheel:--index-url==1!a.txt", "bad package name or version"),
        ("wheel:gensim==1 --pre!a.txt", "bad package name or version"),
        ("wheel:a==1!../a.txt", "plain path"),
        ("wheel:a==1!/etc/passwd", "plain path"),
        ("wheel:a==1!b/../../a.txt", "plain path"),
        ("wheel:a==1!b\\a.txt", "plain path"),
        ("wheel:a==1!b//a.txt", "plain path"),
        ("sdist:a!b", "no ==version"),
        ("sdist:a==-1!b", "bad package name or version"),
        ("deb:a!b", "no =version"),
        ("deb:-o=1!b", "bad package name or version"),
        ("deb:a=--x!b", "bad package name or version"),
        ("deb:ab=1!../b", "plain path"),
        ("npm:a!b", "no @version"),
        ("npm:@a/b!c", "no @version"),
        ("npm:../a@1!b", "bad package name or version"),
        ("npm:--x@1!b", "bad package name or version"),
        ("npm:a@1", "no !member"),
        ("listed:https://a.org/sums.txt", "no list at an address"),
        ("listed:https://a.org/sums.txt!", "no list at an address"),
        ("listed:raw/sums.txt!*.gz", "no list at an address"),
        ("listed:https://a.org/sums.txt!b/*.gz", "without /"),
        ("listed:https://a.org/../sums.txt!*.gz", "'..'"),
    ],
)
def test_a_wrong_location_is_refused_in_one_sentence(location: str, complaint: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse(location)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(InputError, match="user name") as refusal:
        parse("https://me:s3cret@example.org/a.txt")
    assert "s3cret" not in str(refusal.value)


def test_an_address_knows_its_file_name_and_its_place_in_a_mirror() -> None:
    address = Address("https://Example.org:8080/dumps/hu%20wiki.bz2")
    assert address.filename == "hu wiki.bz2"
    assert address.mirrored == "example.org/dumps/hu wiki.bz2"
    assert Address("https://example.org/get?f=1").mirrored is None


@pytest.mark.parametrize(
    ("location", "filename", "is_ours"),
    [
        ("wheel:word-kin-data==1.1!a", "word_kin_data-1.1-py3-none-any.whl", True),
        ("wheel:word-kin-data==1.1!a", "Word.Kin.Data-1.1-1-py3-none-any.whl", True),
        ("wheel:word-kin-data==1.1!a", "word_kin_data-1.1-py3-none-any.zip", False),
        ("wheel:word-kin-data==1.1!a", "word_kin_data-1.18-py3-none-any.whl", False),
        ("wheel:word-kin-data==1.1!a", "word_kin-1.1-py3-none-any.whl", False),
        ("wheel:word-kin-data==1.1!a", "word_kin_data-1.1.whl", False),
        ("sdist:word-kin==1.1!a", "Word_Kin-1.1.tar.gz", True),
        ("sdist:word-kin==1.1!a", "word-kin-1.1.zip", True),
        ("sdist:word-kin==1.1!a", "word-kin-1.1.1.tar.gz", False),
        ("sdist:word-kin==1.1!a", "word-kin-data-1.1.tar.gz", False),
        ("sdist:word-kin==1.1!a", "word_kin-1.1-py3-none-any.whl", False),
        ("deb:word-kin=1:1.1-1!a", "word-kin_1%3a1.1-1_all.deb", True),
        ("deb:word-kin=1.1-1!a", "word-kin_1.1-1_amd64.deb", True),
        ("deb:word-kin=1.1-1!a", "word-kin_1.1-10_amd64.deb", False),
        ("deb:word-kin=1.1-1!a", "word-kin-data_1.1-1_all.deb", False),
        ("npm:@word/kin@1.1.0!a", "word-kin-1.1.0.tgz", True),
        ("npm:@word/kin@1.1.0!a", "kin-1.1.0.tgz", False),
        ("npm:word@1.1.0!a", "word-1.1.01.tgz", False),
    ],
)
def test_a_package_is_recognised_by_name_and_exact_version(
    location: str, filename: str, is_ours: bool
) -> None:
    package = parse(location)
    assert isinstance(package, PackageMember)
    assert package.is_package(filename) is is_ours


@pytest.mark.parametrize("path", ["/a", "../a", "a/../../b", "a/..", "a\\b", "a\0"])
def test_paths_that_could_leave_their_folder(path: str) -> None:
    assert escapes(path)


@pytest.mark.parametrize("path", ["a", "a/b", "..a/b..", ".a", "a/./b"])
def test_paths_that_stay_in_their_folder(path: str) -> None:
    assert not escapes(path)


# ── local files ──────────────────────────────────────────────────────────────────────────────


def test_a_path_names_one_file_relative_or_absolute(tmp_path: Path) -> None:
    plant(tmp_path, "raw/a.txt")
    assert local_files("raw/a.txt", tmp_path) == [tmp_path / "raw/a.txt"]
    assert local_files(str(tmp_path / "raw/a.txt"), Path("/")) == [tmp_path / "raw/a.txt"]


def test_files_come_in_code_point_order_of_their_posix_paths(tmp_path: Path) -> None:
    in_order = ["B.txt", "a-b/x.txt", "a.txt", "a/x.txt", "a10.txt", "a2.txt", "á.txt", "文.txt"]
    plant(tmp_path, *reversed(in_order))
    assert names(local_files(".", tmp_path), tmp_path) == in_order


def test_a_folder_stands_for_the_files_below_it_except_hidden_ones(tmp_path: Path) -> None:
    plant(tmp_path, "raw/a", "raw/deep/er/b", "raw/.hidden", "raw/.git/c", "raw/deep/.DS_Store")
    assert names(local_files("raw", tmp_path), tmp_path) == ["raw/a", "raw/deep/er/b"]
    assert local_files("raw/", tmp_path) == local_files("raw", tmp_path)


def test_a_hidden_path_can_be_named(tmp_path: Path) -> None:
    plant(tmp_path, ".cache/a", ".cache/.b")
    assert names(local_files(".cache", tmp_path), tmp_path) == [".cache/a"]
    assert names(local_files(".cache/.b", tmp_path), tmp_path) == [".cache/.b"]


def test_a_glob_stands_for_the_files_that_it_matches(tmp_path: Path) -> None:
    plant(tmp_path, "raw/a.srt", "raw/b.txt", "raw/c/d.srt", "raw/.e.srt", "raw/c/f/g.srt")

    def matched(pattern: str) -> list[str]:
        return names(local_files(pattern, tmp_path), tmp_path)

    assert matched("raw/*.srt") == ["raw/a.srt"]
    assert matched("raw/**/*.srt") == ["raw/a.srt", "raw/c/d.srt", "raw/c/f/g.srt"]
    assert matched("raw/[ab].*") == ["raw/a.srt", "raw/b.txt"]
    assert matched("r*/c") == ["raw/c/d.srt", "raw/c/f/g.srt"], (
        "a matched folder stands for its files"
    )


def test_a_glob_works_below_a_root_that_looks_like_a_glob(tmp_path: Path) -> None:
    root = tmp_path / "[x]*"
    plant(root, "a.txt")
    assert names(local_files("*.txt", root), root) == ["a.txt"]


def test_an_existing_path_that_looks_like_a_glob_stands_for_itself(tmp_path: Path) -> None:
    plant(tmp_path, "film[1].srt", "film1.srt")
    assert names(local_files("film[1].srt", tmp_path), tmp_path) == ["film[1].srt"]


def test_a_path_above_the_root_is_written_without_dots(tmp_path: Path) -> None:
    plant(tmp_path, "data/a.txt", "project/x")
    assert local_files("../data", tmp_path / "project") == [tmp_path / "data/a.txt"]


def test_links_are_followed_but_not_in_circles(tmp_path: Path) -> None:
    plant(tmp_path, "store/a.txt", "raw/b.txt")
    (tmp_path / "raw/linked").symlink_to(tmp_path / "store")
    (tmp_path / "raw/circle").symlink_to(tmp_path / "raw")
    assert names(local_files("raw", tmp_path), tmp_path) == ["raw/b.txt", "raw/linked/a.txt"]


def test_a_link_to_nothing_is_refused_and_not_skipped(tmp_path: Path) -> None:
    plant(tmp_path, "raw/a.txt")
    (tmp_path / "raw/gone.txt").symlink_to(tmp_path / "nowhere")
    for pattern in ("raw", "raw/*.txt", "raw/gone.txt"):
        with pytest.raises(InputError, match="link to nothing"):
            local_files(pattern, tmp_path)


def test_a_folder_without_permission_to_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is made up: the superuser may read every folder."""

    def refuse(folder: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(folder))

    plant(tmp_path, "raw/a.txt")
    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(
        InputError, match=r"raw cannot be read \(Permission denied\); check the perm"
    ):
        local_files("raw", tmp_path)


@pytest.mark.parametrize("pattern", ["raw/none.txt", "raw/*.bz2", "empty", "nowhere"])
def test_a_location_without_files_is_refused(tmp_path: Path, pattern: str) -> None:
    plant(tmp_path, "raw/a.txt", "empty/.hidden")
    assert matching_files(pattern, tmp_path) == []
    with pytest.raises(InputError, match="no file matches") as refusal:
        local_files(pattern, tmp_path)
    assert pattern in str(refusal.value)


# ── members of an archive ────────────────────────────────────────────────────────────────────


def test_a_star_does_not_match_a_slash() -> None:
    members = [
        f"ha/{part}/translations/{code}.json" for part in ("a", "b") for code in ("hu", "en")
    ]
    assert matching_members([*members, "ha/translations/hu.json"], "ha/*/translations/hu.json") == [
        "ha/a/translations/hu.json",
        "ha/b/translations/hu.json",
    ]


def test_an_existing_member_that_looks_like_a_glob_stands_for_itself() -> None:
    assert matching_members(["film1.srt", "film[1].srt"], "film[1].srt") == ["film[1].srt"]


STEP = st.sampled_from(["a", "b", "ab", ".a"])
WANTED = st.sampled_from(["a", "b", "*", "a*", "?", "[ab]", "**", ".*", ".a", "*b"])


@settings(deadline=None)  # disks are slow at times
@given(
    tree=st.sets(st.lists(STEP, min_size=1, max_size=4).map("/".join), min_size=1, max_size=12),
    pattern=st.lists(WANTED, min_size=1, max_size=4).map("/".join),
)
@example(tree={"a"}, pattern="a/**")
def test_members_of_an_archive_are_matched_like_files_on_disk(tree: set[str], pattern: str) -> None:
    # A name cannot be a file and a folder at once on disk.
    tree = {name for name in tree if not any(other.startswith(name + "/") for other in tree)}
    with TemporaryDirectory() as folder:
        root = Path(folder)
        plant(root, *tree)
        assert matching_members(tree, pattern) == names(matching_files(pattern, root), root)
